// SPDX-License-Identifier: Apache-2.0

#include "lifecycle/worker/pod_setup.hpp"

#include <algorithm>
#include <utility>

#include "node/volume_payload.hpp"

namespace berth::lifecycle {
namespace {

constexpr const char* kPrepareKey = "prepare";
constexpr const char* kVolumesKey = "volumes";
constexpr const char* kCleanupKey = "cleanup";

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

boost::asio::awaitable<void> PodSetup::settled() {
  while (preparation_ == Preparation::kUnderWay) co_await bell_.wait();
}

boost::asio::awaitable<bool> PodSetup::prepare() {
  co_await settled();
  if (preparation_ == Preparation::kReady) co_return true;
  begin();
  co_await settled();
  co_return preparation_ == Preparation::kReady;
}

void PodSetup::begin() {
  if (preparation_ != Preparation::kNotReady || !timetable_.due(kPrepareKey)) return;
  preparation_ = Preparation::kUnderWay;
  services_.children.spawn("prepare", prepare_beside());
}

boost::asio::awaitable<void> PodSetup::prepare_beside() {
  const std::int64_t generation = pod_->metadata.generation;
  const bool made = co_await make_ready();
  // An edit that came meanwhile wants its own volumes.
  const bool ready = made && pod_->metadata.generation == generation;
  preparation_ = ready ? Preparation::kReady : Preparation::kNotReady;
  bell_.notify();
}

boost::asio::awaitable<bool> PodSetup::make_ready() {
  auto prepared = co_await services_.host.prepare_pod(pod_);
  if (!prepared) {
    timetable_.failed(kPrepareKey);
    const std::string& message = prepared.error().message;
    const bool cgroup = message.starts_with(node::kNoPodCgroup);
    teller_.warn_event(cgroup ? "FailedCreatePodContainer" : "Failed", message);
    co_return false;
  }
  timetable_.succeeded(kPrepareKey);
  co_return co_await set_up_volumes();
}

boost::asio::awaitable<bool> PodSetup::set_up_volumes() {
  if (pod_->spec.volumes.empty()) {
    volumes_current_ = true;
    co_return true;
  }
  if (!timetable_.due(kVolumesKey)) co_return false;
  const node::ObjectsPtr shown = services_.objects;
  auto failures = co_await services_.host.set_up_volumes(pod_, shown);
  if (failures && failures->empty()) {
    timetable_.succeeded(kVolumesKey);
    volumes_current_ = shown == services_.objects;  // they may have changed meanwhile
    co_return true;
  }
  timetable_.failed(kVolumesKey);
  if (!failures) teller_.warn_event("FailedMount", failures.error().message);
  if (failures) {
    for (const auto& failure : *failures) teller_.warn_event("FailedMount", failure.message);
  }
  co_return false;
}

boost::asio::awaitable<void> PodSetup::refresh_volumes() {
  if (volumes_current_ || !shows_objects(*pod_)) co_return;
  static_cast<void>(co_await set_up_volumes());
}

bool PodSetup::asks_for_recursive_read_only() const {
  return !recursive_read_only_ && wants_recursive_read_only(*pod_);
}

void PodSetup::runtime_answered(const cri::RuntimeStatus& status) {
  const std::string handler = pod_->spec.runtimeClassName.value_or("");
  recursive_read_only_ =
      std::ranges::any_of(status.handlers, [&handler](const cri::RuntimeHandler& known) {
        return known.name == handler && known.recursive_read_only_mounts;
      });
}

boost::asio::awaitable<bool> PodSetup::clean_up(KeepLogs logs) {
  const Cleaned wanted = logs == KeepLogs::kNo ? Cleaned::kAll : Cleaned::kAllButLogs;
  if (cleaned_ >= wanted) co_return true;
  if (!timetable_.due(kCleanupKey)) co_return false;
  auto cleaned = co_await services_.host.cleanup_pod(pod_, logs == KeepLogs::kNo);
  if (!cleaned) {
    timetable_.failed(kCleanupKey);
    teller_.hindered({.kind = ObstacleKind::kCleanup, .error = cleaned.error().message});
    co_return false;
  }
  timetable_.succeeded(kCleanupKey);
  teller_.unhindered(ObstacleKind::kCleanup, {});
  cleaned_ = wanted;
  co_return true;
}

}  // namespace berth::lifecycle
