// SPDX-License-Identifier: Apache-2.0

// PodWorker: the pod's volumes, environment and credentials: everything that ConfigMaps and Secrets
// affect.
//
// Volumes that show them are written again when one changes, and no container is touched; whatever
// could not begin without one is retried at once. Their values are passed on and kept nowhere.

#include <utility>

#include "lifecycle/status/pod_addresses.hpp"
#include "lifecycle/worker/pod_worker.hpp"
#include "node/container/container_config.hpp"
#include "node/image_credentials.hpp"

namespace berth::lifecycle {

// A pod that ends keeps what it has.
void PodWorker::take_objects() {
  if (course_.ends()) return;
  setup_.volumes_outdated();
  // Whatever waits for a ConfigMap or Secret may begin now.
  timetable_.retry_all();
  teller_.happened("Update", {}, "a ConfigMap or Secret that the pod refers to has changed");
}

boost::asio::awaitable<void> PodWorker::ask_for_recursive_read_only() {
  if (!setup_.asks_for_recursive_read_only()) co_return;
  Context context;
  const auto status = co_await env_.runtime.status(context);
  if (status) setup_.runtime_answered(*status);  // otherwise asked again before the next action
}

node::EnvironmentSources PodWorker::environment_sources() const {
  node::EnvironmentSources sources;
  sources.pod_ips = pod_ips_in_status(*pod_, observed_.last_ips(), node_addresses());
  sources.objects = env_.objects;
  return sources;
}

// Unset if it failed: the reason is recorded.
boost::asio::awaitable<std::optional<node::SubPaths>> PodWorker::mount_sub_paths(std::string name) {
  const api::Container* spec = container_spec(name);
  if (spec == nullptr) co_return std::nullopt;
  auto paths = node::wanted_sub_paths(*env_.node, *pod_, *spec, environment_sources());
  if (paths && !paths->empty()) {
    auto wanted = std::move(*paths);
    paths = co_await env_.host.mount_sub_paths(pod_, name, std::move(wanted));
  }
  if (paths) co_return std::move(*paths);
  start_failed(name, kCreateContainerConfigError, paths.error());
  co_return std::nullopt;
}

// An error if a secret cannot be read, which fails the pull.
Result<std::vector<cri::AuthConfig>> PodWorker::pull_credentials(const std::string& image) {
  auto credentials = node::image_credentials(*pod_, image, *env_.objects);
  if (!credentials) return fail(credentials.error());
  if (!credentials->missing_secrets.empty()) {
    teller_.warn_event("FailedToRetrieveImagePullSecret",
                       node::missing_secrets_message(credentials->missing_secrets));
  }
  return std::move(credentials->auths);
}

}  // namespace berth::lifecycle
