// SPDX-License-Identifier: Apache-2.0

#include "lifecycle/pods/beginning/pod_rejection.hpp"

#include <functional>
#include <utility>

#include "lifecycle/admission/refusal.hpp"
#include "lifecycle/ledger/pod_fields.hpp"
#include "lifecycle/ledger/pod_ledger.hpp"
#include "lifecycle/pods/pod_publisher.hpp"
#include "lifecycle/pods/pod_set_parts.hpp"
#include "lifecycle/status/pod_status.hpp"
#include "lifecycle/status/status_stamp.hpp"

namespace berth::lifecycle {

PodRejection::PodRejection(PodSetParts& parts, PodPublisher& publisher)
    : services_(parts.services),
      options_(parts.options),
      tasks_(parts.tasks),
      records_(parts.records),
      verdicts_(parts.verdicts),
      cleanup_(parts.cleanup),
      publisher_(publisher) {}

void PodRejection::reject(PodRecord& record, const std::string& reason, const std::string& message,
                          const std::string& decision) {
  record.state = RecordState::kRejected;
  assign_to_node(record, options_.node_name);
  const WallTime now = services_.clock->wall_now();
  record.last = {.at = now, .reason = {.subject = "pod", .rule = reason, .text = message}};
  services_.log->warn(reason, message, pod_fields(*record.pod, decision));
  services_.events->record(*record.pod,
                           {.level = EventLevel::kWarning, .reason = reason, .message = message});
  auto shown = std::make_shared<api::Pod>(*record.pod);
  shown->status = stamp_status(*record.pod, record.pod->status,
                               rejected_status(reason, message, qos_of(*record.pod)), now);
  tasks_.spawn("verdict on " + record.pod->metadata.uid, show_rejected(record.pod, shown));
}

void PodRejection::record_and_reject(PodRecord& record, const Refusal& why) {
  const std::string decision =
      PodLedger(services_.ledger)
          .happened(*record.pod, services_.clock->wall_now(), {}, Remark{why.reason, why.message});
  reject(record, why.reason, why.message, decision);
}

boost::asio::awaitable<void> PodRejection::show_rejected(PodPtr pod, PodPtr shown) {
  const std::string uid = pod->metadata.uid;
  const bool stands = co_await verdicts_.store_rejection(pod, shown);
  if (!stands) co_return;
  publisher_.publish(uid, shown);
  std::function<bool()> due = [this, uid] {
    return records_.is_rejected(uid) || !records_.contains(uid);
  };
  co_await cleanup_.clean(shown, std::move(due));
}

}  // namespace berth::lifecycle
