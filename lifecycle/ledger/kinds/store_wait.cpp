// SPDX-License-Identifier: Apache-2.0

// Whether a stop proceeds before it is stored (store_wait.hpp).
#include "lifecycle/worker/store_wait.hpp"

#include "lifecycle/ledger/kind.hpp"

namespace berth::lifecycle {

BOOST_DESCRIBE_ENUM(StoreWait, kStored, kGivenUp)
BOOST_DESCRIBE_STRUCT(StoreWaitQuestion, (), (pod, limit, under_way, error))
BOOST_DESCRIBE_STRUCT(StoreWaitDecision, (), (outcome))

namespace {

// A successful commit is expected, and is only news after a wait that was given up.
std::optional<News> news(const StoreWaitQuestion& question, const StoreWaitDecision& decision) {
  const bool stored = decision.outcome == StoreWait::kStored;
  return News{
      .says = value_hash(question.under_way, question.error), .quiet = stored, .waits = !stored};
}

}  // namespace

template <>
const KindOf<StoreWaitQuestion, StoreWaitDecision>& kind_of() {
  static const RecordedKind kKind(Kind<StoreWaitQuestion, StoreWaitDecision>{
      .name = "storeWait",
      .decide = decide_store_wait,
      .reasons =
          [](const auto& question, const auto& decision) {
            return Reasons{store_wait_reason(question, decision)};
          },
      .part = with_pod_part<StoreWaitQuestion>,
      .news = news});
  return kKind;
}

}  // namespace berth::lifecycle
