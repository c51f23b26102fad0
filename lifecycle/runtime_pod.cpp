// SPDX-License-Identifier: Apache-2.0

#include "lifecycle/runtime_pod.hpp"

#include <algorithm>
#include <charconv>
#include <limits>
#include <map>
#include <set>
#include <system_error>
#include <utility>

#include "lifecycle/container_identity.hpp"
#include "lifecycle/pod_spec.hpp"

namespace berth::lifecycle {
namespace {

// Newest first. Sandboxes by creation time; if the clock is too coarse for that, by attempt.
bool newer(const RuntimeSandbox& a, const RuntimeSandbox& b) {
  if (a.created_at != b.created_at) return a.created_at > b.created_at;
  return a.attempt > b.attempt;
}

// Containers by attempt first: a create whose caller went away may complete after the next one's.
bool newer(const RuntimeContainer& a, const RuntimeContainer& b) {
  if (a.restart_count != b.restart_count) return a.restart_count > b.restart_count;
  return a.created_at > b.created_at;
}

template <class Record>
void replace_in(std::vector<Record>& records, Record record) {
  std::erase_if(records, [&](const Record& other) { return other.id == record.id; });
  const auto place =
      std::ranges::find_if(records, [&](const Record& other) { return newer(record, other); });
  records.insert(place, std::move(record));
}

// Whoever may create containers writes the annotation. A count that no container reaches (at one
// restart a second, after 31 years) is capped, so that those who count on do not overflow.
std::int32_t restart_count(const cri::ContainerStatus& status) {
  constexpr std::int64_t kMost = 1'000'000'000;
  const auto found = status.annotations.find(cri::kAnnotationRestartCount);
  if (found == status.annotations.end()) return 0;
  const std::string& text = found->second;
  std::int64_t count = 0;
  const auto read = std::from_chars(text.data(), text.data() + text.size(), count);
  if (read.ec == std::errc::result_out_of_range && !text.starts_with('-')) count = kMost;
  return static_cast<std::int32_t>(std::clamp<std::int64_t>(count, 0, kMost));
}

std::string container_name(const cri::ContainerStatus& status) {
  const auto label = status.labels.find(cri::kLabelContainerName);
  return label == status.labels.end() ? status.metadata.name : label->second;
}

// The image as the spec states it; null for a name that is not in the spec.
const std::string* spec_image(const api::Pod& pod, std::string_view name) {
  if (const auto* container = find_container(pod, name)) return &container->image;
  if (const auto* container = find_init_container(pod, name)) return &container->image;
  const auto& ephemeral = pod.spec.ephemeralContainers;
  const auto found = std::ranges::find(ephemeral, name, &api::EphemeralContainer::name);
  return found == ephemeral.end() ? nullptr : &found->image;
}

// An absurd amount is capped, so that the product, and a little more, is still a number.
std::int64_t thousandths(std::int64_t amount) {
  constexpr std::int64_t kMost = std::numeric_limits<std::int64_t>::max() / 1000 - 2;
  return std::min(amount, kMost) * 1000;
}

// CRI uses shares, quota and period; 1024 shares are one CPU.
std::optional<RuntimeResources> runtime_resources(const cri::ContainerStatus& status) {
  if (!status.resources) return std::nullopt;
  const cri::LinuxContainerResources& linux = *status.resources;
  RuntimeResources out;
  if (linux.cpu_shares > 0) {
    out.cpu_request = api::Quantity::from_milli((thousandths(linux.cpu_shares) + 1023) / 1024);
  }
  if (linux.cpu_quota > 0 && linux.cpu_period > 0) {
    out.cpu_limit = api::Quantity::from_milli(thousandths(linux.cpu_quota) / linux.cpu_period);
  }
  if (linux.memory_limit_in_bytes > 0) {
    out.memory_limit =
        api::Quantity::from_int(linux.memory_limit_in_bytes, api::Quantity::Format::kBinarySI);
  }
  return out;
}

}  // namespace

const RuntimeContainer* RuntimePod::newest(std::string_view name) const {
  const auto found = std::ranges::find(containers, name, &RuntimeContainer::name);
  return found == containers.end() ? nullptr : &*found;
}

const RuntimeContainer* RuntimePod::find(const cri::ContainerId& id) const {
  const auto found = std::ranges::find(containers, id, &RuntimeContainer::id);
  return found == containers.end() ? nullptr : &*found;
}

const RuntimeSandbox* RuntimePod::newest_sandbox() const {
  return sandboxes.empty() ? nullptr : &sandboxes.front();
}

bool RuntimePod::in_newest_sandbox(const RuntimeContainer& container) const {
  return !sandboxes.empty() && container.sandbox == sandboxes.front().id;
}

void RuntimePod::replace(RuntimeSandbox sandbox) {
  replace_in(sandboxes, std::move(sandbox));
}

void RuntimePod::replace(RuntimeContainer container) {
  replace_in(containers, std::move(container));
}

std::set<std::string> starting_again(const RuntimePod& runtime) {
  std::set<std::string> names;
  for (const RuntimeContainer& container : runtime.containers) {
    const bool between = container.state == cri::ContainerState::kExited ||
                         container.state == cri::ContainerState::kCreated;
    if (between && container.start_again != StartAgain::kByPolicy &&
        runtime.newest(container.name) == &container)
      names.insert(container.name);
  }
  return names;
}

namespace {

// Statuses have end times in whole seconds.
bool ended_before(const api::PodStatus& status, const std::string& name,
                  const RuntimeSandbox& sandbox) {
  const auto ended = [&](const api::ContainerStatus& one) {
    const auto& terminated = one.state.terminated;
    return one.name == name && terminated && terminated->finishedAt &&
           terminated->finishedAt->at + std::chrono::seconds(1) <=
               api::Time::from_unix_nanoseconds(sandbox.created_at).at;
  };
  return std::ranges::any_of(status.containerStatuses, ended) ||
         std::ranges::any_of(status.initContainerStatuses, ended);
}

}  // namespace

std::set<std::string> running_again(const api::Pod& pod, const api::PodStatus& before,
                                    const RuntimePod& runtime) {
  std::set<std::string> names = starting_again(runtime);
  const RuntimeSandbox* sandbox = runtime.newest_sandbox();
  if (sandbox == nullptr) return names;
  const auto anew = [&](const std::string& name) {
    return sandbox->attempt > 0 || ended_before(before, name, *sandbox);
  };
  for (const RuntimeContainer& container : runtime.containers) {
    const bool begins = container.state == cri::ContainerState::kRunning ||
                        container.state == cri::ContainerState::kCreated;
    if (begins && runtime.in_newest_sandbox(container) && anew(container.name))
      names.insert(container.name);
  }
  for (const api::Container& init : pod.spec.initContainers)
    if (runtime.newest(init.name) == nullptr && anew(init.name)) names.insert(init.name);
  return names;
}

RuntimePod with_one_running(RuntimePod runtime,
                            const std::map<std::string, cri::ContainerId>& starts) {
  std::map<std::string, cri::ContainerId> running;
  for (const auto& [name, id] : starts) {
    const RuntimeContainer* begun = runtime.find(id);
    if (begun != nullptr && begun->state != cri::ContainerState::kExited) running.emplace(name, id);
  }
  for (const RuntimeContainer& container : runtime.containers)
    if (container.state == cri::ContainerState::kRunning)
      running.try_emplace(container.name, container.id);
  std::erase_if(runtime.containers, [&](const RuntimeContainer& container) {
    const auto runs = running.find(container.name);
    if (runs == running.end() || runs->second == container.id) return false;
    return container.state == cri::ContainerState::kCreated ||
           container.state == cri::ContainerState::kRunning;
  });
  return runtime;
}

RuntimePod without_late_inits(RuntimePod runtime, const api::Pod& pod) {
  std::set<std::pair<std::string, cri::SandboxId>> completed;
  for (const api::Container& init : pod.spec.initContainers) {
    if (is_sidecar(init)) continue;
    for (const RuntimeContainer& one : runtime.containers)
      if (one.name == init.name && one.state == cri::ContainerState::kExited && one.exit_code == 0)
        completed.emplace(one.name, one.sandbox);
  }
  std::erase_if(runtime.containers, [&](const RuntimeContainer& one) {
    return one.state == cri::ContainerState::kCreated &&
           completed.contains({one.name, one.sandbox});
  });
  return runtime;
}

RuntimePod without_unstartable(RuntimePod runtime) {
  std::set<cri::SandboxId> ready;
  for (const RuntimeSandbox& sandbox : runtime.sandboxes)
    if (sandbox.state == cri::SandboxState::kReady) ready.insert(sandbox.id);
  std::erase_if(runtime.containers, [&](const RuntimeContainer& container) {
    return container.state == cri::ContainerState::kCreated && !ready.contains(container.sandbox);
  });
  return runtime;
}

RuntimeSandbox runtime_sandbox(const cri::PodSandboxStatus& status) {
  return RuntimeSandbox{.id = status.id,
                        .attempt = status.metadata.attempt,
                        .state = status.state,
                        .network = status.network_mode,
                        .has_network = status.has_network,
                        .ip = status.ip,
                        .created_at = status.created_at};
}

RuntimeContainer runtime_container(const cri::ContainerStatus& status,
                                   const cri::SandboxId& sandbox, const api::Pod& pod) {
  std::string name = container_name(status);
  const std::string* image = spec_image(pod, name);
  const bool changed = image != nullptr && spec_changed(status.annotations, name, *image);
  return RuntimeContainer{.id = status.id,
                          .name = std::move(name),
                          .sandbox = sandbox,
                          .state = status.state,
                          .exit_code = status.exit_code,
                          .reason = status.reason,
                          .message = status.message,
                          .restart_count = restart_count(status),
                          .created_at = status.created_at,
                          .started_at = status.started_at,
                          .finished_at = status.finished_at,
                          .image = status.image,
                          .image_ref = status.image_ref,
                          .log_path = status.log_path,
                          .spec_changed = changed,
                          .resources = runtime_resources(status),
                          .user = status.user,
                          .stop_signal = status.stop_signal};
}

std::vector<std::string> runtime_ips(const cri::PodSandboxStatus& status) {
  std::vector<std::string> ips;
  if (!status.has_network || status.ip.empty()) return ips;
  ips.push_back(status.ip);
  for (const std::string& ip : status.additional_ips) {
    if (!ip.empty()) ips.push_back(ip);
  }
  return ips;
}

RuntimePod runtime_pod(const api::Pod& pod, const std::vector<cri::PodSandboxStatus>& sandboxes,
                       const std::vector<cri::ContainerStatus>& containers,
                       const std::map<cri::ContainerId, cri::SandboxId>& sandbox_of) {
  RuntimePod out;
  for (const cri::PodSandboxStatus& status : sandboxes) out.replace(runtime_sandbox(status));
  for (const cri::ContainerStatus& status : containers) {
    const auto sandbox = sandbox_of.find(status.id);
    out.replace(runtime_container(
        status, sandbox == sandbox_of.end() ? cri::SandboxId{} : sandbox->second, pod));
  }
  for (const cri::PodSandboxStatus& status : sandboxes) {
    const bool in_use = status.id == out.sandboxes.front().id;
    if (in_use && status.state == cri::SandboxState::kReady) out.ips = runtime_ips(status);
  }
  return out;
}

ActuatedResources actuated_as_specified(const api::Pod& pod) {
  ActuatedResources out;
  for (const api::Container& container : pod.spec.initContainers) {
    out[container.name] = container.resources;
  }
  for (const api::Container& container : pod.spec.containers) {
    out[container.name] = container.resources;
  }
  return out;
}

}  // namespace berth::lifecycle
