// SPDX-License-Identifier: Apache-2.0

// Starts of a predicted pass.
#include <algorithm>

#include "lifecycle/pod_spec.hpp"
#include "lifecycle/reasons.hpp"
#include "tests/conformance/pass_engine.hpp"

namespace berth::conformance {

using namespace lifecycle;

PassEngine::Start PassEngine::start_of(const api::Container& container) const {
  return {.name = container.name,
          .image = container.image,
          .pull_policy = container.imagePullPolicy,
          .identity = restart_identity(in_.pod, container),
          .has_post_start = container.lifecycle && container.lifecycle->postStart};
}

std::vector<PassEngine::Start> PassEngine::in_order(const Actions& actions) const {
  std::vector<Start> starts;
  for (const std::size_t i : actions.init_containers_to_start)
    starts.push_back(start_of(in_.pod.spec.initContainers.at(i)));
  for (const std::size_t i : actions.containers_to_start)
    starts.push_back(start_of(in_.pod.spec.containers.at(i)));
  return starts;
}

// In the order of the spec. An init container that must end holds back all later ones.
bool PassEngine::start_listed(const Actions& actions) {
  if (!has(Manner::kNoEphemeralContainers))
    for (const std::size_t i : actions.ephemeral_containers_to_start) {
      const api::EphemeralContainer& container = in_.pod.spec.ephemeralContainers.at(i);
      start({.name = container.name,
             .image = container.image,
             .pull_policy = container.imagePullPolicy,
             .identity =
                 restart_identity(in_.pod, container.name, container.image, container.resources)});
    }
  if (has(Manner::kDecidesAnew)) return start_again(actions);
  for (const Start& what : in_order(actions)) {
    const Outcome outcome = start(what);
    const api::Container* init = find_init_container(in_.pod, what.name);
    if (outcome != Outcome::kStarted && init != nullptr && !is_sidecar(*init)) return false;
  }
  return false;
}

// After a start, and after a failed pull, everything is decided again. A container whose hook has
// just failed comes after those not tried yet.
bool PassEngine::start_again(const Actions& actions) {
  const auto must_succeed = [this](const Start& what) {
    const api::Container* init = find_init_container(in_.pod, what.name);
    return init != nullptr && !is_sidecar(*init);
  };
  std::vector<Start> starts = in_order(actions);
  std::ranges::stable_partition(starts, [&](const Start& what) {
    return must_succeed(what) || !starts_.hook_failed.contains(what.name);
  });
  const std::size_t pulls_failed = starts_.failed_pulls.size();
  for (const Start& what : starts) {
    const Outcome outcome = starts_.failed.contains(what.name) ? Outcome::kFailed : start(what);
    if (over_) return false;
    if (outcome == Outcome::kPulls) return true;
    if (outcome == Outcome::kStarted || outcome == Outcome::kHookFailed) return true;
    if (starts_.failed_pulls.size() != pulls_failed) return true;
    if (must_succeed(what)) break;
  }
  look();
  return has(Manner::kFinishedPodsEnd) && is_over();
}

PassEngine::Outcome PassEngine::start(const Start& what) {
  if (!has(Manner::kDecidesAnew) && refused(what, true)) return Outcome::kRefused;
  std::string id;
  if (const Container* created = startable(what)) {
    id = created->id.str();
  } else {
    if (has(Manner::kDecidesAnew) && needs_pull(what) && starts_.pulled.insert(what.name).second) {
      call({{"op", "PullImage"}, {"name", what.image}});
      return Outcome::kPulls;
    }
    std::optional<StartError> error = image_error(what);
    if (!error) error = create(what, id);
    if (over_) return Outcome::kFailed;
    if (error) {
      event("Warning Failed");
      result("StartContainer", what.name, error->reason, error->message);
      if (error->reason != kErrImagePull) starts_.failed.insert(what.name);
      return Outcome::kFailed;
    }
  }
  starts_.begun.insert(what.name);
  call({{"op", "StartContainer"}, {"id", id}, {"name", what.name}});
  if (in_.fails.start.contains(what.name)) {
    event("Warning Failed");
    result("StartContainer", what.name, kRunContainerError, "start refused");
    starts_.failed.insert(what.name);
    return Outcome::kFailed;
  }
  const auto exit = last_exit(world_, what.name);
  backoff_ = record_start(std::move(backoff_), {}, what.identity, exit, kPassAt);
  return started(what, *find(id));
}

PassEngine::Outcome PassEngine::started(const Start& what, Container& container) {
  container.state = cri::ContainerState::kRunning;
  container.started_at = cri::unix_nanoseconds(kPassAt);
  event("Normal Started Started container " + what.name);
  starts_.reported.erase(what.name);
  starts_.hook_failed.erase(what.name);
  if (what.has_post_start) {
    call({{"op", "PostStartHook"}, {"name", what.name}});
    if (in_.fails.post_start.contains(what.name)) {
      event("Warning FailedPostStartHook");
      starts_.hook_failed.insert(what.name);
      result("StartContainer", what.name, kPostStartHookError, "hook output");
      stop(container, KillReason::kFailedPostStartHook, "FailedPostStartHook");
      return Outcome::kHookFailed;
    }
  }
  result("StartContainer", what.name);
  return Outcome::kStarted;
}

// Created before, in the sandbox in use, from the same spec.
const PassEngine::Container* PassEngine::startable(const Start& what) const {
  const Container* newest = world_.newest(what.name);
  if (!has(Manner::kStartsCreated) || newest == nullptr) return nullptr;
  const bool ready = newest->state == cri::ContainerState::kCreated &&
                     newest->sandbox.str() == sandbox_ && !newest->spec_changed;
  return ready ? newest : nullptr;
}

bool PassEngine::needs_pull(const Start& what) const {
  if (what.pull_policy == "Never") return false;
  return what.pull_policy == "Always" || !starts_.present_images.contains(what.image);
}

std::optional<PassEngine::StartError> PassEngine::image_error(const Start& what) {
  const bool present = starts_.present_images.contains(what.image);
  if (what.pull_policy == "Never") {
    if (present) return std::nullopt;
    return StartError{
        std::string(kErrImageNeverPull),
        "Container image \"" + what.image + "\" is not present with pull policy of Never"};
  }
  if (!needs_pull(what)) return std::nullopt;
  if (starts_.pulled.erase(what.name) == 0) call({{"op", "PullImage"}, {"name", what.image}});
  if (in_.fails.pull.contains(what.image)) {
    starts_.failed_pulls[what.image] = "registry said no";
    return StartError{std::string(kErrImagePull), "registry said no"};
  }
  starts_.present_images.insert(what.image);
  return std::nullopt;
}

std::int32_t PassEngine::attempt_of(const std::string& name) const {
  if (has(Manner::kDecidesAnew)) {
    const auto next = starts_.next_attempt.find(name);
    return next == starts_.next_attempt.end() ? 0 : next->second;
  }
  const Container* newest = seen_.newest(name);
  return newest == nullptr ? 0 : newest->restart_count + 1;
}

std::optional<PassEngine::StartError> PassEngine::create(const Start& what, std::string& id) {
  if (!starts_.begun.insert(what.name).second) {
    over_ = true;
    return std::nullopt;
  }
  const std::int32_t attempt = attempt_of(what.name);
  call({{"op", "CreateContainer"},
        {"name", what.name},
        {"attempt", attempt},
        {"sandbox", sandbox_}});
  if (in_.fails.create.contains(what.name))
    return StartError{std::string(kCreateContainerError), "create refused"};
  event("Normal Created Created container: " + what.name);
  id = "new-" + what.name;
  starts_.next_attempt[what.name] = attempt + 1;
  Container made{.id = cri::ContainerId(id),
                 .name = what.name,
                 .sandbox = cri::SandboxId(sandbox_),
                 .state = cri::ContainerState::kCreated,
                 .restart_count = attempt,
                 .created_at = cri::unix_nanoseconds(kPassAt)};
  world_.containers.insert(world_.containers.begin(), std::move(made));
  return std::nullopt;
}

bool PassEngine::refused(const Start& what, bool exits_count) {
  RuntimePod exits = seen_;
  if (has(Manner::kDecidesAnew) && !has(Manner::kForgetsRemovedExits))
    exits.containers.insert(exits.containers.end(), removed_.begin(), removed_.end());
  if (exits_count) {
    const RestartVerdict verdict = check_restart(backoff_, {}, what.identity, exits, kPassAt);
    if (verdict.in_backoff) {
      auto [reported, first] = starts_.reported.try_emplace(what.name, verdict.until);
      if (!first && reported->second == verdict.until) return true;
      reported->second = verdict.until;
      event("Warning BackOff Back-off restarting failed container " + what.name + " in pod " +
            pod_description(in_.pod));
      result("StartContainer", what.name, verdict.reason, verdict.message);
      return true;
    }
  }
  const auto pull = starts_.failed_pulls.find(what.image);
  if (pull == starts_.failed_pulls.end() || what.pull_policy == "Never") return false;
  const bool reported = has(Manner::kReportsPullWait) || !has(Manner::kDecidesAnew);
  if (reported &&
      starts_.reported.try_emplace(what.name, kPassAt + std::chrono::seconds{10}).second) {
    event("Warning Failed");
    result("StartContainer", what.name, kImagePullBackOff,
           "Back-off pulling image \"" + what.image + "\": ErrImagePull: " + pull->second);
  }
  return true;
}

}  // namespace berth::conformance
