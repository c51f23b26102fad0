// SPDX-License-Identifier: Apache-2.0

// Pods that this berthd does not begin, though they are wished: what it cannot run, what another
// node is to run, and what has ended two berthds. What runs of them stays.

#include "lifecycle/pods/pod_set.hpp"

#include <utility>

#include <fmt/core.h>

#include "lifecycle/ledger/pod_fields.hpp"
#include "lifecycle/ledger/pod_ledger.hpp"
#include "lifecycle/pod_identity.hpp"
#include "lifecycle/pod_status.hpp"
#include "lifecycle/status_stamp.hpp"
#include "lifecycle/unsupported.hpp"

namespace berth::lifecycle {
namespace {

constexpr std::string_view kBerthdDied =
    "berthd has died twice in a row while it handled this pod, and does not go on with it: edit "
    "its manifest, or restart berthd to have it tried again";

// It is shown as it was.
api::PodStatus deadly_status(const PodMemoryPtr& memory, std::string qos) {
  api::PodStatus status = memory ? memory->status : pending_status("", "", std::move(qos));
  status.reason = "BerthdDied";
  status.message = kBerthdDied;
  return status;
}

}  // namespace

bool PodSet::hold_if_not_run_here(Record& record, ListedPod& listed) {
  const api::Pod& pod = *record.pod;
  const PodMemoryPtr memory = verdicts_.memory_of(pod.metadata.uid);
  if (services_.in_hand != nullptr && services_.in_hand->deadly(handled_as(pod))) {
    record.leftovers = std::move(listed);
    hold(record, deadly_status(memory, qos_of(pod)), std::string(kBerthdDied));
    return true;
  }
  // Nothing of it is begun any more, and it stays as it was shown.
  if (memory && memory->verdict != Verdict::kNone) return false;
  const auto wishes = unsupported_wishes(pod);
  const std::string& node_name = pod.spec.nodeName;
  if (!wishes.empty()) {
    record.leftovers = std::move(listed);
    hold(record, unsupported_status(wishes, qos_of(pod)), unsupported_message(wishes));
    return true;
  }
  if (node_name.empty() || node_name == options_.node_name) return false;
  record.leftovers = std::move(listed);
  const std::string why = fmt::format("spec.nodeName asks for node \"{}\"; this is node \"{}\"",
                                      node_name, options_.node_name);
  hold(record, pending_status("NodeName", why, qos_of(pod)), why);
  return true;
}

void PodSet::hold(Record& record, api::PodStatus status, const std::string& why) {
  record.state = RecordState::kHeld;
  put_on_node(record);
  const WallTime now = services_.clock->wall_now();
  record.last = {.at = now, .reason = {.subject = "pod", .rule = "Hold", .text = why}};
  const std::string told =
      PodLedger(services_.ledger).happened(*record.pod, now, {}, Remark{"Hold", why});
  services_.log->warn("NotRun", why, pod_fields(*record.pod, told));
  services_.events->record(
      *record.pod,
      {.level = EventLevel::kWarning, .reason = status.reason, .message = status.message});
  status.conditions = record.pod->status.conditions;  // SchedulingGated, if it has gates
  auto shown = std::make_shared<api::Pod>(*record.pod);
  shown->status = stamp_status(*record.pod, record.pod->status, std::move(status), now);
  publish(record.pod->metadata.uid, shown);
}

}  // namespace berth::lifecycle
