// SPDX-License-Identifier: Apache-2.0

#include "lifecycle/worker/pod_volumes.hpp"

#include <utility>

#include "lifecycle/status/pod_addresses.hpp"
#include "lifecycle/worker/pod_facts.hpp"
#include "lifecycle/worker/pod_parts.hpp"
#include "node/container/container_config.hpp"
#include "node/image_credentials.hpp"

namespace berth::lifecycle {
namespace {

constexpr const char* kStatusKey = "runtime status";

}  // namespace

PodVolumes::PodVolumes(PodParts& parts, const PodFacts& facts)
    : env_(parts.env),
      pod_(parts.pod),
      teller_(parts.teller),
      course_(parts.course),
      timetable_(parts.timetable),
      observed_(parts.observed),
      setup_(parts.setup),
      facts_(facts) {}

void PodVolumes::objects_changed() {
  if (course_.ends()) return;
  setup_.volumes_outdated();
  // Whatever waits for a ConfigMap or Secret may begin now.
  timetable_.retry_all();
  teller_.happened("Update", {}, "a ConfigMap or Secret that the pod refers to has changed");
}

boost::asio::awaitable<void> PodVolumes::ask_for_recursive_read_only() {
  if (!setup_.asks_for_recursive_read_only() || !timetable_.due(kStatusKey)) co_return;
  Context context;
  const auto status = co_await env_.runtime.status(context);
  if (status) {
    timetable_.succeeded(kStatusKey);
    setup_.runtime_answered(*status);
  } else {
    timetable_.failed(kStatusKey);
  }
}

bool PodVolumes::knows_recursive_read_only() const {
  return !setup_.asks_for_recursive_read_only();
}

node::EnvironmentSources PodVolumes::environment_sources() const {
  node::EnvironmentSources sources;
  sources.pod_ips = pod_ips_in_status(*pod_, observed_.last_ips(), facts_.node_addresses());
  sources.objects = env_.now.objects;
  return sources;
}

boost::asio::awaitable<Result<node::SubPaths>> PodVolumes::mount_sub_paths(std::string name) {
  const api::Container* spec = facts_.container_spec(name);
  if (spec == nullptr) co_return node::SubPaths{};
  auto paths = node::wanted_sub_paths(*env_.now.view, *pod_, *spec, environment_sources());
  if (paths && !paths->empty()) {
    auto wanted = std::move(*paths);
    paths = co_await env_.host.mount_sub_paths(pod_, name, std::move(wanted));
  }
  co_return paths;
}

Result<std::vector<cri::AuthConfig>> PodVolumes::pull_credentials(const std::string& image) {
  return node::image_credentials(*pod_, image, *env_.now.objects);
}

void PodVolumes::report_missing_secrets() {
  std::vector<std::string> missing = node::missing_pull_secrets(*pod_, *env_.now.objects);
  if (missing == missing_secrets_) return;
  missing_secrets_ = std::move(missing);
  if (!missing_secrets_.empty())
    teller_.warn_event("FailedToRetrieveImagePullSecret",
                       node::missing_secrets_message(missing_secrets_));
}

bool PodVolumes::recursive_read_only() const {
  return setup_.recursive_read_only();
}

boost::asio::awaitable<void> PodVolumes::refresh_volumes() {
  co_await setup_.refresh_volumes();
}

}  // namespace berth::lifecycle
