// SPDX-License-Identifier: Apache-2.0

#include "lifecycle/pods/pod_record.hpp"

#include "lifecycle/worker/pod_worker.hpp"
#include "node/qos.hpp"

namespace berth::lifecycle {

std::string_view to_string(RecordState state) {
  switch (state) {
    case RecordState::kWaiting:
      return "waiting";
    case RecordState::kWanted:
      return "to be admitted";
    case RecordState::kHeld:
      return "held";
    case RecordState::kRejected:
      return "rejected";
    case RecordState::kWorking:
      return "working";
    case RecordState::kCollected:
      return "collected";
  }
  return {};
}

std::optional<EndInForce> end_of(const PodRecord& record) {
  return record.worker ? record.worker->ordered_end() : record.ending;
}

bool is_being_removed(const PodRecord& record) {
  return removes(end_of(record));
}

void assign_to_node(PodRecord& record, const std::string& node_name) {
  if (record.unknown || !record.pod->spec.nodeName.empty()) return;
  auto placed = std::make_shared<api::Pod>(*record.pod);
  placed->spec.nodeName = node_name;
  record.pod = std::move(placed);
}

std::string qos_of(const api::Pod& pod) {
  return std::string(node::to_string(node::compute_qos_class(pod)));
}

}  // namespace berth::lifecycle
