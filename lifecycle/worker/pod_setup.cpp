// SPDX-License-Identifier: Apache-2.0

#include "lifecycle/worker/pod_setup.hpp"

#include <algorithm>
#include <utility>

#include "node/volumes/volume_payload.hpp"

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
  // An edit that arrived meanwhile needs its own volumes.
  const bool ready = made && pod_->metadata.generation == generation;
  preparation_ = ready ? Preparation::kReady : Preparation::kNotReady;
  bell_.notify();
}

boost::asio::awaitable<bool> PodSetup::make_ready() {
  const auto prepared = co_await services_.host.prepare_pod(pod_);
  SetupQuestion question{.pod = *pod_};
  if (!prepared) {
    question.failures.push_back(prepared.error().message);
  } else if (!prepared->cgroup_problem.empty()) {
    question.part = SetupPart::kControlGroup;
    question.failures.push_back(prepared->cgroup_problem);
  }
  if (!decide(kPrepareKey, question)) co_return false;
  co_return co_await set_up_volumes(Volumes::kFirst);
}

// True if everything is ready.
bool PodSetup::decide(const char* key, const SetupQuestion& question) {
  const SetupDecision decision = decide_setup(question);
  const std::string record = teller_.decided(question, decision);
  if (decision.standing == SetupStanding::kReady) {
    timetable_.succeeded(key);
    return true;
  }
  timetable_.failed(key);
  for (Reason& failure : setup_reasons(question))
    teller_.warn_event(failure.rule, std::move(failure.text), About{.decision = record});
  return false;
}

boost::asio::awaitable<bool> PodSetup::set_up_volumes(Volumes volumes) {
  if (pod_->spec.volumes.empty()) {
    volumes_current_ = true;
    co_return true;
  }
  if (!timetable_.due(kVolumesKey)) co_return false;
  const node::ObjectsPtr shown = services_.objects;
  auto failures = co_await services_.host.set_up_volumes(pod_, shown);
  SetupQuestion question{
      .pod = *pod_, .part = SetupPart::kVolumes, .written_again = volumes == Volumes::kAgain};
  if (!failures) question.failures.push_back(failures.error().message);
  if (failures) {
    for (const auto& failure : *failures) question.failures.push_back(failure.message);
  }
  if (!decide(kVolumesKey, question)) co_return false;
  volumes_current_ = shown == services_.objects;  // they may have changed meanwhile
  co_return true;
}

boost::asio::awaitable<void> PodSetup::refresh_volumes() {
  if (volumes_current_ || !shows_objects(*pod_)) co_return;
  static_cast<void>(co_await set_up_volumes(Volumes::kAgain));
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
