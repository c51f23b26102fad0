// SPDX-License-Identifier: Apache-2.0

#include "lifecycle/pods/ending/pod_departure.hpp"

#include <algorithm>
#include <functional>
#include <memory>
#include <utility>

#include "lifecycle/ledger/pod_ledger.hpp"
#include "lifecycle/ledger/pod_removal.hpp"
#include "lifecycle/pods/ending/pod_successors.hpp"
#include "lifecycle/pods/pod_publisher.hpp"
#include "lifecycle/pods/pod_set_parts.hpp"
#include "lifecycle/worker/pod_identity.hpp"

namespace berth::lifecycle {

PodDeparture::PodDeparture(PodSetParts& parts, PodPublisher& publisher, PodSuccessors& successors)
    : services_(parts.services),
      desired_(parts.desired),
      records_(parts.records),
      verdicts_(parts.verdicts),
      cleanup_(parts.cleanup),
      readiness_(parts.readiness),
      reconcile_(parts.reconcile),
      settled_bell_(parts.settled_bell),
      publisher_(publisher),
      successors_(successors) {}

void PodDeparture::removed(const std::string& uid) {
  const std::unique_ptr<PodRecord> record = records_.remove(uid);
  if (!record) return;
  readiness_.note_seen(uid);
  const PodPtr last = shown_or_desired(*record);
  const WallTime now = services_.clock->wall_now();
  const std::optional<EndInForce> end = end_of(*record);
  PodLedger(services_.ledger).happened(*last, now, {}, removal(*last, end));
  publisher_.publish_removed(*record);
  verdicts_.drop(uid);
  settled_bell_.ring();
  const bool was_collected = end && end->ending.cause == EndCause::kCollected;
  if (was_collected && desired_.contains(uid)) return keep_collected(*record);
  if (end && has_successor(end->ending.cause)) successors_.create(*record);
  const bool succeeded = std::ranges::any_of(desired_, [&record](const auto& desired) {
    return same_name(*desired.second, *record->pod);
  });
  if (succeeded)
    verdicts_.remember_ended(*record);
  else
    verdicts_.forget(last);
  reconcile_.soon();
}

boost::asio::awaitable<void> PodDeparture::remove_without_worker(std::string uid) {
  const PodRecord* record = records_.find(uid);
  if (record == nullptr) co_return;
  const PodPtr pod = record->pod;
  std::function<bool()> always = [] { return true; };
  co_await cleanup_.clean(pod, std::move(always));
  removed(uid);
}

// Keeps only the fact that the pod is over, for as long as its manifest exists.
void PodDeparture::keep_collected(const PodRecord& record) {
  auto kept = std::make_unique<PodRecord>();
  kept->pod = record.pod;
  kept->sequence = record.sequence;
  kept->state = RecordState::kCollected;
  kept->hidden = true;
  verdicts_.remember_collected(record);
  records_.add(std::move(kept));
}

}  // namespace berth::lifecycle
