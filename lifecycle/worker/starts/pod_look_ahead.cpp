// SPDX-License-Identifier: Apache-2.0

#include "lifecycle/worker/starts/pod_look_ahead.hpp"

#include <algorithm>
#include <utility>

#include "api/image_reference.hpp"
#include "lifecycle/image_decision.hpp"
#include "lifecycle/worker/pod_facts.hpp"
#include "lifecycle/worker/pod_parts.hpp"

namespace berth::lifecycle {

namespace {

// Sub-path mounts are resolved when the container starts: containers before it may still change the
// content of the volume.
bool mounts_sub_paths(const api::Container& container) {
  return std::ranges::any_of(container.volumeMounts, [](const api::VolumeMount& mount) {
    return !mount.subPath.empty() || !mount.subPathExpr.empty();
  });
}

}  // namespace

PodLookAhead::PodLookAhead(PodParts& parts, const PodFacts& facts)
    : env_(parts.env),
      pod_(parts.pod),
      children_(parts.children),
      observed_(parts.observed),
      starts_(parts.starts),
      files_bell_(parts.files_bell),
      facts_(facts) {}

// In the order in which they will start.
std::vector<std::string> PodLookAhead::never_started() const {
  std::vector<std::string> names;
  for (const auto* list : {&pod_->spec.initContainers, &pod_->spec.containers})
    for (const api::Container& container : *list)
      if (observed_.newest(container.name) == nullptr) names.push_back(container.name);
  return names;
}

void PodLookAhead::begin_look_ahead() {
  if (starts_.begin_look_ahead()) children_.spawn("look ahead", look_ahead());
}

boost::asio::awaitable<void> PodLookAhead::look_ahead() {
  const std::vector<std::string> names = never_started();
  for (const std::string& name : names) {
    co_await look_for_image(name);
    if (starts_.next_attempt(name)) continue;
    auto logged = co_await env_.host.last_logged_attempt(pod_, name);
    if (logged) starts_.attempt_logged(name, *logged);
  }
  starts_.end_look_ahead();
}

boost::asio::awaitable<void> PodLookAhead::look_for_image(std::string name) {
  const api::Container* spec = facts_.container_spec(name);
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

// Only for the sandbox's first instances: a restart looks up the image itself.
std::optional<ImageFound> PodLookAhead::image_seen(const std::string& name) {
  if (observed_.newest(name) != nullptr) return std::nullopt;
  return starts_.images().seen(facts_.container_spec(name)->image);
}

void PodLookAhead::begin_files_ahead(const std::string& but) {
  if (starts_.makes_files()) return;
  std::vector<std::string> names;
  for (const std::string& name : never_started()) {
    const api::Container* spec = facts_.container_spec(name);
    if (name != but && starts_.wants_files(name) && !mounts_sub_paths(*spec)) names.push_back(name);
  }
  if (names.empty()) return;
  starts_.begin_files(names);
  children_.spawn("files", make_files_ahead(std::move(names)));
}

boost::asio::awaitable<void> PodLookAhead::make_files_ahead(std::vector<std::string> names) {
  const std::vector<std::string> pod_ips = observed_.last_ips();
  for (const std::string& name : names) {
    ContainerFilesReady ready{.attempt = *starts_.next_attempt(name), .pod_ips = pod_ips};
    auto files = co_await env_.host.prepare_container(pod_, name, ready.attempt, pod_ips);
    if (files) {
      ready.files = std::move(*files);
      starts_.files_made(name, std::move(ready));
    } else {
      starts_.files_made(name, std::nullopt);  // its own start will report why
    }
    files_bell_.notify();
  }
}

// Made ahead, or now.
boost::asio::awaitable<Result<node::ContainerFiles>> PodLookAhead::files_of(std::string name,
                                                                            std::uint32_t attempt) {
  while (starts_.makes_files(name)) co_await files_bell_.wait();
  auto ahead = starts_.use_files(name, attempt, observed_.last_ips());
  if (ahead) co_return std::move(*ahead);
  co_return co_await env_.host.prepare_container(pod_, name, attempt, observed_.last_ips());
}

boost::asio::awaitable<void> PodLookAhead::files_settled() {
  while (starts_.makes_files()) co_await files_bell_.wait();
}

}  // namespace berth::lifecycle
