// A worker and its pod's volumes, environment and credentials: everything that ConfigMaps and
// Secrets have a part in.
//
// What shows them is written again when one changes, and no container is touched; what could not
// begin for want of one is tried at once. Their values are handed on and kept nowhere.

#include <algorithm>
#include <utility>

#include "lifecycle/pod_addresses.hpp"
#include "lifecycle/pod_worker.hpp"
#include "node/container_config.hpp"
#include "node/image_credentials.hpp"
#include "node/volume_payload.hpp"

namespace berth::lifecycle {
namespace {

bool shows_objects(const api::Pod& pod) {
  return std::ranges::any_of(pod.spec.volumes, node::has_payload);
}

bool wants_recursive_read_only(const api::Pod& pod) {
  for (const auto* list : {&pod.spec.initContainers, &pod.spec.containers}) {
    for (const api::Container& container : *list) {
      for (const api::VolumeMount& mount : container.volumeMounts)
        if (mount.recursiveReadOnly.value_or("Disabled") != "Disabled") return true;
    }
  }
  return false;
}

}  // namespace

// A pod that ends keeps what it has.
void PodWorker::take_objects() {
  if (end_ || state_ != WorkerState::kSyncing) return;
  volumes_current_ = false;
  // Whatever waits for one of them may begin now.
  timetable_.retry_all();
  teller_.happened("Update", {}, "a ConfigMap or Secret that the pod refers to has changed");
}

// Every volume; what fails is told and tried again.
boost::asio::awaitable<bool> PodWorker::set_up_volumes() {
  const std::string key = "volumes";
  if (pod_->spec.volumes.empty()) {
    volumes_current_ = true;
    co_return true;
  }
  if (!timetable_.due(key)) co_return false;
  const node::ObjectsPtr shown = env_.objects;
  auto failures = co_await env_.host.set_up_volumes(pod_, shown);
  if (failures && failures->empty()) {
    timetable_.succeeded(key);
    volumes_current_ = shown == env_.objects;  // they may have changed meanwhile
    co_return true;
  }
  timetable_.failed(key);
  if (!failures) teller_.warn_event("FailedMount", failures.error().message);
  if (failures) {
    for (const auto& failure : *failures) teller_.warn_event("FailedMount", failure.message);
  }
  co_return false;
}

// Of a pod that has begun, by this berthd or by one before it. If it fails, the containers go on
// with what they have.
boost::asio::awaitable<void> PodWorker::refresh_volumes() {
  if (volumes_current_ || ready_sandbox() == nullptr || !shows_objects(*pod_)) co_return;
  co_await set_up_volumes();
}

// Whether the runtime makes mounts read-only with all below: asked only for a pod that wants it.
boost::asio::awaitable<void> PodWorker::ask_for_recursive_read_only() {
  if (recursive_read_only_ || !wants_recursive_read_only(*pod_)) co_return;
  Context context;
  auto status = co_await env_.runtime.status(context);
  if (!status) co_return;  // asked again before the next thing is done
  const std::string handler = pod_->spec.runtimeClassName.value_or("");
  recursive_read_only_ =
      std::ranges::any_of(status->handlers, [&handler](const cri::RuntimeHandler& known) {
        return known.name == handler && known.recursive_read_only_mounts;
      });
}

node::EnvironmentSources PodWorker::environment_sources() const {
  node::EnvironmentSources sources;
  sources.pod_ips = pod_ips_in_status(*pod_, last_ips_, node_addresses());
  sources.objects = env_.objects;
  return sources;
}

// None: it failed, and the reason is noted.
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

// None: a secret cannot be read, which fails the pull.
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
