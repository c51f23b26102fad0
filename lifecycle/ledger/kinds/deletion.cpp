// SPDX-License-Identifier: Apache-2.0

// What the deletion of a pod means (deletion_period.hpp).
#include "lifecycle/deletion_period.hpp"
#include "lifecycle/ledger/kind.hpp"

namespace berth::lifecycle {

BOOST_DESCRIBE_STRUCT(DeletionSituation, (), (requested, own, placed, phase, in_force))
BOOST_DESCRIBE_STRUCT(DeletionQuestion, (), (pod, situation))
BOOST_DESCRIBE_STRUCT(DeletionPeriod, (), (seconds, takes_effect))

template <>
const KindOf<DeletionQuestion, DeletionPeriod>& kind_of() {
  static const RecordedKind kKind(Kind<DeletionQuestion, DeletionPeriod>{
      .name = "deletion",
      .decide = [](const auto& question) { return deletion_period(question.situation); },
      .reasons = [](const auto& question,
                    const auto& period) { return Reasons{deletion_reason(question, period)}; },
      .part = with_pod_part<DeletionQuestion>,
      // For a deletion that takes effect, the record of the grace period states it.
      .describe =
          [](const Decoded<DeletionQuestion, DeletionPeriod>& decoded) {
            return decoded.decision.takes_effect ? std::vector<Sentence>{}
                                                 : reason_sentences(decoded.context);
          }});
  return kKind;
}

}  // namespace berth::lifecycle
