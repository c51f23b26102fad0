// SPDX-License-Identifier: Apache-2.0

// Which incarnation of its manifest a pod is (incarnation_choice.hpp).
#include "lifecycle/pods/beginning/incarnation_choice.hpp"

#include "lifecycle/ledger/kind.hpp"

namespace berth::lifecycle {

BOOST_DESCRIBE_ENUM(IncarnationCause, kFirstRead, kReturned, kEnded)
BOOST_DESCRIBE_STRUCT(FoundIncarnation, (), (uid, incarnation, over, from_kubelet))
BOOST_DESCRIBE_STRUCT(IncarnationQuestion, (), (pod, cause, before, found))
BOOST_DESCRIBE_STRUCT(IncarnationChoice, (), (incarnation, continues, adopted))

namespace {

// A manifest that is new on this node needs no explanation.
std::optional<News> news_of_incarnation(const IncarnationQuestion& question,
                                        const IncarnationChoice& choice) {
  if (choice == IncarnationChoice{} && question.found.empty()) return std::nullopt;
  return News{};
}

}  // namespace

template <>
const KindOf<IncarnationQuestion, IncarnationChoice>& kind_of() {
  static const RecordedKind kKind(Kind<IncarnationQuestion, IncarnationChoice>{
      .name = "incarnation",
      .decide = choose_incarnation,
      .reasons = [](const auto& question,
                    const auto& choice) { return Reasons{incarnation_reason(question, choice)}; },
      .part = with_pod_part<IncarnationQuestion>,
      .news = news_of_incarnation});
  return kKind;
}

}  // namespace berth::lifecycle
