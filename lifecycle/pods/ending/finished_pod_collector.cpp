// SPDX-License-Identifier: Apache-2.0

#include "lifecycle/pods/ending/finished_pod_collector.hpp"

#include <string>
#include <vector>

#include "lifecycle/ledger/pod_ledger.hpp"
#include "lifecycle/pod_gc.hpp"
#include "lifecycle/pods/ending/end_orders.hpp"
#include "lifecycle/pods/pod_set_parts.hpp"

namespace berth::lifecycle {

FinishedPodCollector::FinishedPodCollector(const PodSetParts& parts, EndOrders& orders)
    : services_(parts.services),
      options_(parts.options),
      records_(parts.records),
      orders_(orders) {}

void FinishedPodCollector::collect() {
  std::vector<const api::Pod*> shown;
  for (const auto& [uid, record] : records_)
    if (record->shown && !record->hidden && !is_being_removed(*record))
      shown.push_back(record->shown.get());
  const WallTime now = services_.clock->wall_now();
  std::vector<std::string> uids;
  for (const CollectionQuestion& question : pods_to_collect(shown, options_.terminated_pods_kept)) {
    PodLedger(services_.ledger).decided(question, decide_collection(question), now);
    uids.push_back(question.pod->metadata.uid);
  }
  for (const std::string& uid : uids) orders_.order(uid, collected(now));
}

}  // namespace berth::lifecycle
