// SPDX-License-Identifier: Apache-2.0

#include "tests/simulation/runtime/runtime_views.hpp"

#include <algorithm>

namespace berth::simulation {
namespace {

bool shows_death(const SandboxRecord& sandbox, SteadyTime now) {
  return sandbox.died_shown && *sandbox.died_shown <= now;
}

cri::ContainerState state_of(const Instance& instance, SteadyTime now) {
  if (shows_exit(instance, now)) return cri::ContainerState::kExited;
  if (instance.sight_lost) return cri::ContainerState::kUnknown;
  return instance.started ? cri::ContainerState::kRunning : cri::ContainerState::kCreated;
}

// All labels that the selector names must be there, with these values.
bool has_labels(const cri::StringMap& selector, const cri::StringMap& labels) {
  return std::ranges::all_of(selector, [&](const auto& wanted) {
    const auto found = labels.find(wanted.first);
    return found != labels.end() && found->second == wanted.second;
  });
}

}  // namespace

bool shows_exit(const Instance& instance, SteadyTime now) {
  return instance.exit_shown && *instance.exit_shown <= now;
}

cri::ContainerStatus status_of(const Instance& instance, SteadyTime now) {
  const bool ended = shows_exit(instance, now);
  const auto& image = instance.config.image;
  return {.id = instance.id,
          .metadata = instance.config.metadata,
          .state = state_of(instance, now),
          .created_at = instance.created_at,
          .started_at = instance.started_at,
          .finished_at = ended ? instance.finished_at : 0,
          .exit_code = ended ? instance.exit_code : 0,
          .image = image.user_specified_image.empty() ? image.image : image.user_specified_image,
          .image_ref = image.image,
          .reason = ended ? instance.reason : "",
          .labels = instance.config.labels,
          .annotations = instance.config.annotations,
          .mounts = instance.config.mounts,
          .log_path = instance.config.log_path,
          .image_id = image.image,
          .stop_signal = instance.config.stop_signal};
}

cri::PodSandboxStatus status_of(const SandboxRecord& sandbox, SteadyTime now) {
  const auto& config = sandbox.config;
  const bool dead = shows_death(sandbox, now);
  const auto network = config.security_context.namespace_options.network;
  return {.id = sandbox.id,
          .metadata = config.metadata,
          .state = dead ? cri::SandboxState::kNotReady : cri::SandboxState::kReady,
          .created_at = sandbox.created_at,
          .has_network = true,
          .ip = dead || network == cri::NamespaceMode::kNode ? "" : sandbox.ip,
          .network_mode = network,
          .labels = config.labels,
          .annotations = config.annotations};
}

cri::Container listed(const Instance& instance, SteadyTime now) {
  return {.id = instance.id,
          .pod_sandbox_id = instance.sandbox,
          .metadata = instance.config.metadata,
          .image = instance.config.image,
          .image_ref = instance.config.image.image,
          .state = state_of(instance, now),
          .created_at = instance.created_at,
          .labels = instance.config.labels,
          .annotations = instance.config.annotations};
}

cri::PodSandbox listed(const SandboxRecord& sandbox, SteadyTime now) {
  const cri::PodSandboxStatus status = status_of(sandbox, now);
  return {.id = status.id,
          .metadata = status.metadata,
          .state = status.state,
          .created_at = status.created_at,
          .labels = status.labels,
          .annotations = status.annotations};
}

bool selected(const cri::ContainerFilter& filter, const cri::Container& container) {
  if (!filter.id.empty() && filter.id != container.id.str()) return false;
  if (filter.state && *filter.state != container.state) return false;
  if (!filter.pod_sandbox_id.empty() && filter.pod_sandbox_id != container.pod_sandbox_id.str())
    return false;
  return has_labels(filter.label_selector, container.labels);
}

bool selected(const cri::SandboxFilter& filter, const cri::PodSandbox& sandbox) {
  if (!filter.id.empty() && filter.id != sandbox.id.str()) return false;
  if (filter.state && *filter.state != sandbox.state) return false;
  return has_labels(filter.label_selector, sandbox.labels);
}

}  // namespace berth::simulation
