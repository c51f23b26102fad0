// SPDX-License-Identifier: Apache-2.0

#include "lifecycle/pods/ending/pod_successors.hpp"

#include "lifecycle/pods/pod_set_parts.hpp"

namespace berth::lifecycle {

PodSuccessors::PodSuccessors(PodSetParts& parts)
    : incarnations_(*parts.services.incarnations), desired_(parts.desired) {}

void PodSuccessors::create(PodRecord& record) {
  const std::string uid = record.pod->metadata.uid;
  if (record.followed || !desired_.contains(uid)) return;
  record.followed = true;
  const PodPtr next = incarnations_.next_incarnation(*record.pod);
  desired_.erase(uid);
  if (next) desired_.insert_or_assign(next->metadata.uid, next);
}

}  // namespace berth::lifecycle
