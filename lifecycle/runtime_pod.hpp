// SPDX-License-Identifier: Apache-2.0

// What the runtime shows of one pod, as input of decisions.
//
// Sandboxes and containers are kept newest first; the first container of a name is the current
// one, whichever sandbox it is in. The worker keeps what the runtime has reported (ObservedPod),
// and makes such a record of it for each decision (pod_view.hpp). Times are unix nanoseconds, 0 =
// not set. Plain values; nothing here asks the runtime.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "api/pod.hpp"
#include "api/quantity.hpp"
#include "api/resources.hpp"
#include "cri/types.hpp"

namespace berth::lifecycle {

struct RuntimeSandbox {
  cri::SandboxId id{};
  std::uint32_t attempt = 0;
  cri::SandboxState state = cri::SandboxState::kNotReady;
  cri::NamespaceMode network = cri::NamespaceMode::kPod;
  bool has_network = false;  // the runtime reported a network status at all
  std::string ip{};          // empty although has_network is set: the sandbox has no address
  std::int64_t created_at = 0;

  bool operator==(const RuntimeSandbox&) const = default;
};

// Resources in force on a container, as far as the runtime reports them.
struct RuntimeResources {
  std::optional<api::Quantity> cpu_request{};
  std::optional<api::Quantity> cpu_limit{};
  std::optional<api::Quantity> memory_request{};
  std::optional<api::Quantity> memory_limit{};

  bool operator==(const RuntimeResources&) const = default;
};

// What decides whether a container that has ended is started again.
enum class StartAgain : std::uint8_t {
  kByPolicy,  // its restart policy, by how it ended
  // A plan decided it before the container ended, or starts over in another sandbox: the restart
  // policy does not apply, and the exit does not end the pod.
  kDecided,
  kStopped,  // likewise, and the agent stopped it for that; its exit does not count for backoff
};

struct RuntimeContainer {
  cri::ContainerId id{};
  std::string name{};
  cri::SandboxId sandbox{};
  cri::ContainerState state = cri::ContainerState::kUnknown;
  std::int32_t exit_code = 0;
  std::string reason{};
  std::string message{};  // the termination message, once it has exited
  std::int32_t restart_count = 0;
  std::int64_t created_at = 0;
  std::int64_t started_at = 0;
  std::int64_t finished_at = 0;
  std::string image{};      // the name the runtime gives it
  std::string image_ref{};  // what it resolved to
  std::string log_path{};
  bool spec_changed = false;  // started from another name or image than the spec asks for now
  std::optional<RuntimeResources> resources{};
  std::optional<cri::LinuxUser> user{};
  std::int32_t stop_signal = 0;
  // Set on the newest instance of its name, once it has exited; an instance that was only created
  // inherits it from the one before.
  StartAgain start_again = StartAgain::kByPolicy;

  bool operator==(const RuntimeContainer&) const = default;
};

struct RuntimePod {
  std::vector<RuntimeSandbox> sandboxes{};
  std::vector<RuntimeContainer> containers{};
  std::vector<std::string> ips{};  // the pod's addresses, primary first

  bool operator==(const RuntimePod&) const = default;

  // The newest of that name; null if there is none.
  [[nodiscard]] const RuntimeContainer* newest(std::string_view name) const;
  [[nodiscard]] const RuntimeContainer* find(const cri::ContainerId& id) const;
  [[nodiscard]] const RuntimeSandbox* newest_sandbox() const;
  // Whether the container is in the sandbox that is in use now.
  [[nodiscard]] bool in_newest_sandbox(const RuntimeContainer& container) const;

  // Replaces the record with the same id, or inserts it by creation time.
  void replace(RuntimeSandbox sandbox);
  void replace(RuntimeContainer container);
};

// The names of containers that have ended and are started again whatever their restart policy.
[[nodiscard]] std::set<std::string> starting_again(const RuntimePod& runtime);

// The same, and containers that run or were created in a sandbox that replaced another one: its
// attempt is above 0 or, if the runtime has lost the old sandbox, it is younger than the end that
// `before` shows. Init containers begin anew in it, so one without a record is no error of the
// runtime.
[[nodiscard]] std::set<std::string> running_again(const api::Pod& pod, const api::PodStatus& before,
                                                  const RuntimePod& runtime);

// At most one instance of each name runs: the one whose start has begun (`starts`, by name), or the
// newest running one. An older instance that is still shown as running has in fact ended, or the
// next would not have been started. Other instances created beside the running one (the response of
// that create was lost) count once it has ended.
[[nodiscard]] RuntimePod with_one_running(RuntimePod runtime,
                                          const std::map<std::string, cri::ContainerId>& starts);

// An init container that has completed in its sandbox does not run there again. Another attempt
// that was only created results from a create whose response was lost, and is left out.
[[nodiscard]] RuntimePod without_late_inits(RuntimePod runtime, const api::Pod& pod);

// The view for a plan: without containers that can never start, because they were created in a
// sandbox that is not ready. Counted as progress, as by the kubelet, they would end a run-once pod
// that has done nothing, and skip the init containers in the next sandbox.
[[nodiscard]] RuntimePod without_unstartable(RuntimePod runtime);

[[nodiscard]] RuntimeSandbox runtime_sandbox(const cri::PodSandboxStatus& status);

// `spec_changed` is decided against `pod` (container_identity.hpp); it stays false for a container
// whose name is not in the spec. CRI's status does not name the sandbox; its listing does.
[[nodiscard]] RuntimeContainer runtime_container(const cri::ContainerStatus& status,
                                                 const cri::SandboxId& sandbox,
                                                 const api::Pod& pod);

// The pod's addresses: the sandbox's own first, then the additional ones; empty while the runtime
// reports none.
[[nodiscard]] std::vector<std::string> runtime_ips(const cri::PodSandboxStatus& status);

// The whole pod, from a listing with all statuses; `sandbox_of` maps container ids.
[[nodiscard]] RuntimePod runtime_pod(const api::Pod& pod,
                                     const std::vector<cri::PodSandboxStatus>& sandboxes,
                                     const std::vector<cri::ContainerStatus>& containers,
                                     const std::map<cri::ContainerId, cri::SandboxId>& sandbox_of);

// Resources last applied, per container name. A name that is absent has no record, which a status
// distinguishes from an empty record; for resizing both count as zero.
using ActuatedResources = std::map<std::string, api::ResourceRequirements>;

// The record of a pod whose containers run with the resources of its spec (nothing is being
// resized).
[[nodiscard]] ActuatedResources actuated_as_specified(const api::Pod& pod);

}  // namespace berth::lifecycle
