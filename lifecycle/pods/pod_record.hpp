// SPDX-License-Identifier: Apache-2.0

// The record of one incarnation of a pod.
//
//   waiting   an older pod of its name still exists
//   wanted    it awaits admission: shown as Pending while the scheduling core refuses it
//   held      this node does not run it (not supported, or another node's): shown as Pending
//   rejected  admission refused it: shown as Failed, for good
//   working   its worker handles it, to the end
//   collected finished and removed, while its manifest remains: it does not begin again
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "lifecycle/ending.hpp"
#include "lifecycle/ledger/ledger.hpp"
#include "lifecycle/pod_events.hpp"
#include "lifecycle/worker/runtime/runtime_listing.hpp"

namespace berth::lifecycle {

class PodWorker;

enum class RecordState : std::uint8_t { kWaiting, kWanted, kHeld, kRejected, kWorking, kCollected };

// The state's name in the listing of activities.
[[nodiscard]] std::string_view to_string(RecordState state);

struct PodRecord {
  PodPtr pod{};                         // as desired
  PodPtr shown{};                       // with its status; null if nothing is shown yet
  std::shared_ptr<PodWorker> worker{};  // set while working
  ListedPod leftovers{};                // for a held pod: what an earlier berthd started
  std::optional<DatedReason> last{};    // of a pod without a worker
  std::uint64_t sequence = 0;           // order of arrival
  RecordState state = RecordState::kWaiting;
  bool unknown = false;  // only the runtime knows it; never shown
  bool hidden = false;   // deleted by force, or collected: still here, but no longer shown
  std::optional<EndInForce> ending{};  // for a pod without a worker; a worker has its own
  bool followed = false;               // its successor is already desired
};

// The pod as shown, or as desired while nothing is shown.
[[nodiscard]] inline const PodPtr& shown_or_desired(const PodRecord& record) {
  return record.shown ? record.shown : record.pod;
}

// How the pod ends; unset if it should keep running, or has finished by itself.
[[nodiscard]] std::optional<EndInForce> end_of(const PodRecord& record);
[[nodiscard]] bool is_being_removed(const PodRecord& record);

// Sets spec.nodeName, unless the pod has one or only the runtime knows it.
void assign_to_node(PodRecord& record, const std::string& node_name);

// The pod's QoS class as a status shows it.
[[nodiscard]] std::string qos_of(const api::Pod& pod);

}  // namespace berth::lifecycle
