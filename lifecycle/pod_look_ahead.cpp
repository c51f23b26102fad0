// SPDX-License-Identifier: Apache-2.0

// A worker making ready what the first start of each container will need, while the runtime is busy
// with something else of the pod: so that nothing is left to wait for between its calls.
//
// Only hints: what is not there when its turn comes is asked for then, and what proves wrong (an
// image that was removed meanwhile) is asked for again.

#include <algorithm>
#include <utility>

#include "api/image_reference.hpp"
#include "lifecycle/image_decision.hpp"
#include "lifecycle/pod_spec.hpp"
#include "lifecycle/pod_worker.hpp"

namespace berth::lifecycle {
namespace {

// What is mounted below a volume is settled when the container starts: those before it may still
// change what is there.
bool mounts_sub_paths(const api::Container& container) {
  return std::ranges::any_of(container.volumeMounts, [](const api::VolumeMount& mount) {
    return !mount.subPath.empty() || !mount.subPathExpr.empty();
  });
}

}  // namespace

// In the order of their turns.
std::vector<std::string> PodWorker::never_started() const {
  std::vector<std::string> names;
  for (const auto* list : {&pod_->spec.initContainers, &pod_->spec.containers})
    for (const api::Container& container : *list)
      if (observed_.newest(container.name) == nullptr) names.push_back(container.name);
  return names;
}

void PodWorker::begin_look_ahead() {
  if (starts_.begin_look_ahead()) children_.spawn("look ahead", look_ahead());
}

boost::asio::awaitable<void> PodWorker::look_ahead() {
  const std::vector<std::string> names = never_started();
  for (const std::string& name : names) {
    co_await look_for_image(name);
    if (starts_.next_attempt(name)) continue;
    auto logged = co_await env_.host.last_logged_attempt(pod_, name);
    if (logged) starts_.attempt_logged(name, *logged);
  }
  starts_.end_look_ahead();
}

boost::asio::awaitable<void> PodWorker::look_for_image(std::string name) {
  const api::Container* spec = container_spec(name);
  if (spec == nullptr || !asks_presence(spec->imagePullPolicy)) co_return;
  const std::string wanted = spec->image;
  if (starts_.images().seen(wanted) || !api::parse_image_reference(wanted)) co_return;
  cri::ImageSpec image;
  image.image = api::with_default_tag(wanted);
  Context context;
  auto status = co_await env_.images.image_status(context, image);
  if (!status) co_return;
  ImageFound found;
  found.reference = status->id;
  found.status = std::move(*status);
  starts_.images().see(wanted, std::move(found));
}

// Of the sandbox's first instances only: a restart looks for itself.
std::optional<ImageFound> PodWorker::image_seen(const std::string& name) {
  if (observed_.newest(name) != nullptr) return std::nullopt;
  return starts_.images().seen(container_spec(name)->image);
}

// `but`: the one whose turn it is, which has its files.
void PodWorker::begin_files_ahead(const std::string& but) {
  if (starts_.makes_files()) return;
  std::vector<std::string> names;
  for (const std::string& name : never_started()) {
    const api::Container* spec = container_spec(name);
    if (name != but && starts_.wants_files(name) && !mounts_sub_paths(*spec)) names.push_back(name);
  }
  if (names.empty()) return;
  starts_.begin_files(names);
  children_.spawn("files", make_files_ahead(std::move(names)));
}

boost::asio::awaitable<void> PodWorker::make_files_ahead(std::vector<std::string> names) {
  const std::vector<std::string> pod_ips = observed_.last_ips();
  for (const std::string& name : names) {
    ContainerFilesReady ready{.attempt = *starts_.next_attempt(name), .pod_ips = pod_ips};
    auto files = co_await env_.host.prepare_container(pod_, name, ready.attempt, pod_ips);
    if (files) {
      ready.files = std::move(*files);
      starts_.files_made(name, std::move(ready));
    } else {
      starts_.files_made(name, std::nullopt);  // its own start will say why
    }
    files_bell_.notify();
  }
}

}  // namespace berth::lifecycle
