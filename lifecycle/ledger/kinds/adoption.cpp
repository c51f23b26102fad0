// SPDX-License-Identifier: Apache-2.0

// Which order ends a pod that is not desired (adoption_decision.hpp).
#include "lifecycle/pods/beginning/adoption_decision.hpp"

#include "lifecycle/ledger/kind.hpp"

namespace berth::lifecycle {

BOOST_DESCRIBE_STRUCT(AdoptionQuestion, (), (pod, stored, ordered))
BOOST_DESCRIBE_STRUCT(AdoptionDecision, (), (cause))

namespace {

// No news if an earlier berthd ordered the removal, which simply continues.
std::optional<News> news(const AdoptionQuestion& question, const AdoptionDecision& /*decision*/) {
  if (question.ordered && !keeps_pod(*question.ordered)) return std::nullopt;
  return News{};
}

// A berthd that was killed before it stored its order decides the same again.
std::vector<Sentence> describe(const Decoded<AdoptionQuestion, AdoptionDecision>& decoded) {
  const std::string text = adoption_reason(decoded.question, decoded.decision).text;
  Sentence sentence = sentence_about(decoded.record, "pod", "Adoption|" + text, text);
  sentence.occasion = "once";
  return {std::move(sentence)};
}

}  // namespace

template <>
const KindOf<AdoptionQuestion, AdoptionDecision>& kind_of() {
  static const RecordedKind kKind(Kind<AdoptionQuestion, AdoptionDecision>{
      .name = "adoption",
      .decide = decide_adoption,
      .reasons = [](const auto& question,
                    const auto& decision) { return Reasons{adoption_reason(question, decision)}; },
      .part = with_pod_part<AdoptionQuestion>,
      .news = news,
      .describe = describe});
  return kKind;
}

}  // namespace berth::lifecycle
