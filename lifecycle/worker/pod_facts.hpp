// SPDX-License-Identifier: Apache-2.0

// What is read from several parts of a pod's worker at once: the view of the runtime, the order
// that ends the pod, a container's spec. Changes nothing. Loop thread only; the parts outlive it.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "api/pod.hpp"
#include "cri/types.hpp"
#include "lifecycle/ending.hpp"
#include "lifecycle/grace_period.hpp"
#include "lifecycle/pod_events.hpp"
#include "lifecycle/runtime_pod.hpp"
#include "lifecycle/status/pod_status.hpp"
#include "lifecycle/worker/stops/container_stop.hpp"

namespace berth::lifecycle {

class ContainerStarts;
class ContainerStops;
class ObservedPod;
class PodCourse;
class PodKeeper;
class PodMailbox;
class ShownStatus;
struct PodEnvironment;
struct PodParts;

// The pod with its deletionTimestamp.
[[nodiscard]] std::shared_ptr<api::Pod> being_deleted(const api::Pod& pod, const EndInForce& end);

class PodFacts {
 public:
  explicit PodFacts(PodParts& parts);

  [[nodiscard]] Instant instant() const;
  [[nodiscard]] bool is_regular(const std::string& name) const;
  // A regular or an init container; null if the pod has none of that name.
  [[nodiscard]] const api::Container* container_spec(const std::string& name) const;
  // The newest; null if there is none.
  [[nodiscard]] const cri::PodSandboxStatus* ready_sandbox() const;
  [[nodiscard]] NodeAddresses node_addresses() const;
  // The view of the runtime from which all decisions start; plan and status take parts of it
  // (pod_view.hpp).
  [[nodiscard]] RuntimePod runtime_view() const;
  // Whether anything of the pod may still run; if so, a terminal phase is not shown yet.
  [[nodiscard]] bool containers_may_run() const;
  // The postStart hooks that run, by container name. A pod that ends waits for none of them.
  [[nodiscard]] std::map<std::string, cri::ContainerId> post_starts_under_way() const;
  // How a pod that was stopped before it finished is shown, as long as its exit codes may still
  // decide otherwise; null otherwise.
  [[nodiscard]] const ShownFailure* shown_failure() const;
  // The phase by which an order given now is judged.
  [[nodiscard]] std::string_view phase_for_orders() const;
  // How the pod would end with that order. Unset if it has no effect: an order that stops and keeps
  // the pod has none on one that has stopped and is kept.
  [[nodiscard]] std::optional<OrderInForce> end_with(const Ending& order) const;
  // How the pod ends, including an order that still waits in the mailbox. Unset if it should run,
  // or has finished by itself.
  [[nodiscard]] std::optional<EndInForce> ordered_end() const;
  // Whether nothing of the pod starts any more.
  [[nodiscard]] bool ending() const;
  // The name of the container with that id; empty if the runtime has no such container.
  [[nodiscard]] std::string container_name(const std::string& id) const;

 private:
  const PodEnvironment& env_;
  const PodPtr& pod_;
  const PodCourse& course_;
  const PodMailbox& mailbox_;
  const ObservedPod& observed_;
  const PodKeeper& keeper_;
  const ContainerStops& stops_;
  const ContainerStarts& starts_;
  const ShownStatus& status_;
};

}  // namespace berth::lifecycle
