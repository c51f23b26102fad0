// SPDX-License-Identifier: Apache-2.0

// Whether a finished pod is collected because too many have finished (pod_gc.hpp).
#include "lifecycle/ledger/kind.hpp"
#include "lifecycle/pod_gc.hpp"

namespace berth::lifecycle {

BOOST_DESCRIBE_STRUCT(CollectionQuestion, (), (pod, finished, before, threshold))
BOOST_DESCRIBE_STRUCT(CollectionDecision, (), (collect))

template <>
const KindOf<CollectionQuestion, CollectionDecision>& kind_of() {
  static const RecordedKind kKind(Kind<CollectionQuestion, CollectionDecision>{
      .name = "podGC",
      .decide = decide_collection,
      .reasons = [](const auto& question,
                    const auto& /*decision*/) { return Reasons{collection_reason(question)}; },
      .part = with_pod_part<CollectionQuestion>,
      // The record of the grace period that follows states it.
      .describe =
          [](const Decoded<CollectionQuestion, CollectionDecision>& /*decoded*/) {
            return std::vector<Sentence>{};
          }});
  return kKind;
}

}  // namespace berth::lifecycle
