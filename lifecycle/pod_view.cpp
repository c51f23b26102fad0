// SPDX-License-Identifier: Apache-2.0

#include "lifecycle/pod_view.hpp"

#include <algorithm>
#include <cstdint>
#include <set>
#include <tuple>
#include <utility>

#include "lifecycle/decided_starts.hpp"

namespace berth::lifecycle {
namespace {

struct Made {
  std::string id{};
  std::string name{};  // of a container; empty for a sandbox
  std::uint32_t attempt = 0;
  std::int64_t created_at = 0;
};

RuntimePod in_order(const PodViewInput& input) {
  const std::map<std::string, std::int64_t> created =
      creation_times(input.sandboxes, input.containers);
  std::vector<cri::PodSandboxStatus> sandboxes = input.sandboxes;
  for (cri::PodSandboxStatus& sandbox : sandboxes)
    sandbox.created_at = created.at(sandbox.id.str());
  std::vector<cri::ContainerStatus> containers = input.containers;
  for (cri::ContainerStatus& container : containers)
    container.created_at = created.at(container.id.str());
  return runtime_pod(input.pod, sandboxes, containers, input.sandbox_of);
}

void mark_decided_starts(const PodViewInput& input, RuntimePod& runtime) {
  for (RuntimeContainer& container : runtime.containers) {
    const auto decided = input.start_again.find(container.id.str());
    if (decided != input.start_again.end() && container.state == cri::ContainerState::kExited)
      container.start_again = decided->second;
  }
  pass_on_decided_starts(input.pod, runtime, input.start_errors, input.options);
}

bool has_ready_sandbox(const RuntimePod& runtime) {
  return std::ranges::any_of(runtime.sandboxes, [](const RuntimeSandbox& sandbox) {
    return sandbox.state == cri::SandboxState::kReady;
  });
}

}  // namespace

std::map<std::string, std::int64_t> creation_times(
    const std::vector<cri::PodSandboxStatus>& sandboxes,
    const std::vector<cri::ContainerStatus>& containers) {
  std::vector<Made> all;
  for (const auto& sandbox : sandboxes)
    all.push_back({.id = sandbox.id.str(),
                   .attempt = sandbox.metadata.attempt,
                   .created_at = sandbox.created_at});
  for (const auto& container : containers)
    all.push_back({.id = container.id.str(),
                   .name = container.metadata.name,
                   .attempt = container.metadata.attempt,
                   .created_at = container.created_at});
  std::ranges::sort(
      all, {}, [](const Made& made) { return std::tie(made.name, made.attempt, made.created_at); });
  std::map<std::string, std::int64_t> times;
  const Made* before = nullptr;
  for (Made& made : all) {
    if (before != nullptr && before->name == made.name)
      made.created_at = std::max(made.created_at, before->created_at + 1);
    times.emplace(made.id, made.created_at);
    before = &made;
  }
  return times;
}

RuntimePod pod_view(const PodViewInput& input) {
  RuntimePod runtime =
      without_late_inits(with_one_running(in_order(input), input.starts), input.pod);
  if (!input.ends) mark_decided_starts(input, runtime);
  // A finished pod keeps its address: without a ready sandbox the last known address stays.
  if (runtime.ips.empty() && !has_ready_sandbox(runtime)) runtime.ips = input.last_ips;
  return runtime;
}

}  // namespace berth::lifecycle
