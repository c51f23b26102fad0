// SPDX-License-Identifier: Apache-2.0

// What becomes of a pod whose containers the runtime has lost (lost_containers.hpp).
#include "lifecycle/ledger/kind.hpp"
#include "lifecycle/lost_containers.hpp"

namespace berth::lifecycle {

BOOST_DESCRIBE_STRUCT(LossQuestion, (), (pod, had_containers, judged, ending))
BOOST_DESCRIBE_STRUCT(LossDecision, (), (failed))

template <>
const KindOf<LossQuestion, LossDecision>& kind_of() {
  static const RecordedKind kKind(Kind<LossQuestion, LossDecision>{
      .name = "loss",
      .decide = decide_loss,
      .reasons = [](const auto& question,
                    const auto& decision) { return Reasons{loss_reason(question, decision)}; },
      .part = with_pod_part<LossQuestion, loss_part>});
  return kKind;
}

}  // namespace berth::lifecycle
