// SPDX-License-Identifier: Apache-2.0

#include "tests/integration/shown_changes.hpp"

#include <algorithm>
#include <array>
#include <string_view>

#include <fmt/format.h>

namespace berth::integration {
namespace {

constexpr const char* kCrashLoop = "CrashLoopBackOff";
constexpr const char* kStartError = "StartError";
constexpr const char* kStatusUnknown = "ContainerStatusUnknown";
constexpr std::chrono::seconds kFirstWindow{10};
constexpr std::chrono::seconds kLongestWindow{300};

std::string text(const std::optional<api::Time>& time) {
  return time ? time->to_string() : "none";
}

std::string text(const std::string& value) {
  return value.empty() ? "none" : value;
}

std::string text(std::int64_t value) {
  return std::to_string(value);
}

// Collects the violations of one pod, or one of its containers.
class Finder {
 public:
  Finder(std::string who, Differences& found) : who_(std::move(who)), found_(found) {}

  void add(const std::string& what) { found_.push_back(who_ + ": " + what); }

  template <class Value>
  void same(const char* what, const Value& before, const Value& after) {
    if (before != after) add(fmt::format("{} was {}, is {}", what, text(before), text(after)));
  }

 private:
  std::string who_;
  Differences& found_;
};

bool is_final(const api::Pod& pod) {
  return pod.status.phase == "Succeeded" || pod.status.phase == "Failed";
}

bool ends(const api::Pod& pod) {
  return pod.metadata.deletionTimestamp.has_value() || is_final(pod);
}

bool waits_in_crash_loop(const api::ContainerStatus& status) {
  return status.state.waiting && status.state.waiting->reason == kCrashLoop;
}

// A berthd was killed in the middle of a CreateContainer: the runtime refuses the next berthd's
// call until that one is done.
bool is_being_created(const api::ContainerStatus& status) {
  return status.state.waiting && status.state.waiting->reason == "CreateContainerError" &&
         status.state.waiting->message.contains("is reserved for");
}

std::string state_name(const api::ContainerState& state) {
  if (state.running) return "running";
  if (state.terminated) return "terminated";
  return state.waiting ? "waiting (" + state.waiting->reason + ")" : "nothing";
}

const api::PodCondition* condition_of(const api::Pod& pod, const std::string& type) {
  const auto found = std::ranges::find(pod.status.conditions, type, &api::PodCondition::type);
  return found == pod.status.conditions.end() ? nullptr : &*found;
}

bool all_ready(const api::Pod& pod) {
  return std::ranges::all_of(container_statuses(pod), [&pod](const auto* status) {
    return status->ready || std::ranges::none_of(pod.spec.containers, [status](const auto& it) {
             return it.name == status->name;
           });
  });
}

bool is_about_readiness(const std::string& type) {
  return type == "Ready" || type == "ContainersReady";
}

// Whether there is a reason for the condition to have become false.
bool has_reason(const std::string& type, const api::Pod& after) {
  if (is_final(after)) return true;
  if (is_about_readiness(type)) return !all_ready(after);
  if (type == "PodReadyToStartContainers") return after.metadata.deletionTimestamp.has_value();
  return false;  // PodScheduled, Initialized
}

// Whether a container was restarted: then it was ready for a moment, which a killed berthd need not
// have shown.
bool ran_in_between(const api::Pod& before, const api::Pod& after) {
  const auto now = container_statuses(after);
  return std::ranges::any_of(container_statuses(before), [&now](const auto* was) {
    return std::ranges::any_of(now, [was](const auto* is) {
      return is->name == was->name && is->restartCount > was->restartCount;
    });
  });
}

void compare_conditions(const api::Pod& before, const api::Pod& after, const ShownAt& at,
                        Finder& finder) {
  for (const api::PodCondition& was : before.status.conditions) {
    const auto* is = condition_of(after, was.type);
    if (is == nullptr) {
      finder.add(fmt::format("its condition {} is gone", was.type));
      continue;
    }
    if (was.status == is->status) {
      const bool went_and_came = is_about_readiness(was.type) && ran_in_between(before, after) &&
                                 is->lastTransitionTime >= was.lastTransitionTime;
      if (at.stored_before && was.lastTransitionTime != is->lastTransitionTime && !went_and_came)
        finder.add(fmt::format("its condition {} is {} since {}, and was since {}", was.type,
                               is->status, text(is->lastTransitionTime),
                               text(was.lastTransitionTime)));
      continue;
    }
    if (at.stored_before && is->lastTransitionTime < was.lastTransitionTime)
      finder.add(
          fmt::format("its condition {} changed before it had the state of before", was.type));
    if (was.status == "True" && !has_reason(was.type, after))
      finder.add(fmt::format("its condition {} became {}, for no reason that is shown", was.type,
                             is->status));
  }
}

void compare_pods(const api::Pod& before, const api::Pod& after, const ShownAt& at,
                  Finder& finder) {
  const auto& was = before.status;
  const auto& is = after.status;
  if (is_final(before) || (was.phase == "Running" && is.phase == "Pending"))
    finder.same("its phase", was.phase, is.phase);
  if (is_final(before)) finder.same("its reason", was.reason, is.reason);
  if (was.startTime && at.stored_before) finder.same("its startTime", was.startTime, is.startTime);
  if (!was.podIP.empty() && !(ends(after) && is.podIP.empty()))
    finder.same("its podIP", was.podIP, is.podIP);
  if (!was.qosClass.empty()) finder.same("its qosClass", was.qosClass, is.qosClass);
  // An order is shown at once; an order that was not persisted by then is given again.
  if (before.metadata.deletionTimestamp && at.stored_before) {
    finder.same("its deletionTimestamp", before.metadata.deletionTimestamp,
                after.metadata.deletionTimestamp);
    finder.same("its deletionGracePeriodSeconds",
                before.metadata.deletionGracePeriodSeconds.value_or(-1),
                after.metadata.deletionGracePeriodSeconds.value_or(-1));
  }
  compare_conditions(before, after, at, finder);
}

using Ended = std::optional<api::ContainerStateTerminated>;

// How the shown instance ended: its state, or its last state while it waits to be replaced.
Ended end_of_newest(const api::ContainerStatus& status) {
  if (status.state.terminated) return status.state.terminated;
  const auto& last = status.lastState.terminated;
  return last && last->containerID == status.containerID ? last : std::nullopt;
}

// How the instance before that one ended.
Ended end_before(const api::ContainerStatus& status) {
  const auto& last = status.lastState.terminated;
  return last && last->containerID != status.containerID ? last : std::nullopt;
}

// When the newest instance started; `std::nullopt` if it was not started or failed to start.
std::optional<api::Time> begun_at(const api::ContainerStatus& status) {
  if (status.state.running) return status.state.running->startedAt;
  const Ended ended = end_of_newest(status);
  return ended && ended->reason != kStartError ? ended->startedAt : std::nullopt;
}

// One container, before and after.
class ContainerChange {
 public:
  ContainerChange(const api::ContainerStatus& before, const api::ContainerStatus& after,
                  bool pod_ends, const ShownAt& at, Finder& finder)
      : before_(before), after_(after), pod_ends_(pod_ends), at_(at), finder_(finder) {}

  void compare() {
    if (after_.restartCount < before_.restartCount)
      finder_.same("its restart count", std::int64_t{before_.restartCount},
                   std::int64_t{after_.restartCount});
    else if (after_.restartCount > before_.restartCount)
      compare_restarted();
    else if (given_up())
      compare_ends(before_.lastState.terminated, after_.state.terminated);
    else if (came_all_the_same())
      compare_ends(before_.state.terminated, after_.lastState.terminated);
    else
      compare_same_instance();
  }

 private:
  // The newest instance was not started, and will not be, as the pod ends: the status shows the
  // previous instance again, or that none was ever started.
  [[nodiscard]] bool given_up() const {
    return pod_ends_ && after_.state.terminated && before_.state.waiting &&
           !end_of_newest(before_) && before_.containerID != after_.containerID;
  }

  // The given-up instance was started, with its count raised, because its start was already under
  // way in the runtime.
  [[nodiscard]] bool came_all_the_same() const {
    const auto& shown_before = before_.state.terminated;
    const Ended older = end_before(after_);
    return pod_ends_ && shown_before && older && older->containerID == shown_before->containerID;
  }

  // An event reports an end before the runtime's status shows it; a berthd that had no time to
  // persist it leaves the next one to wait for the runtime.
  [[nodiscard]] bool shows_end_later() const {
    return !at_.stored_before && end_of_newest(before_) && after_.state.running;
  }

  void compare_same_instance() {
    if (!before_.containerID.empty())
      finder_.same("its id", before_.containerID, after_.containerID);
    const bool end_comes = shows_end_later();
    if (!end_comes) compare_ends(end_of_newest(before_), end_of_newest(after_));
    // Only one of the two ends is shown while the newest instance waits to be replaced.
    if (!(after_.state.waiting && end_of_newest(after_)))
      compare_ends(end_before(before_), end_before(after_));
    if (before_.state.running && after_.state.running)
      finder_.same("the start of what runs", before_.state.running->startedAt,
                   after_.state.running->startedAt);
    if (after_.state.running) compare_readiness();
    if (before_.state.running && after_.state.waiting && !end_of_newest(after_)) became_another();
    if (waits_in_crash_loop(before_) && !end_comes) compare_wait();
  }

  void compare_ends(const Ended& was, const Ended& is) {
    if (!was) return;
    // A status made up at the end of the pod, for a container that was never created.
    const bool made_up = was->reason == kStatusUnknown && was->containerID.empty();
    if (!is && made_up && pod_ends_ && !at_.stored_before) return;
    if (!is) return finder_.add("how it ended is forgotten");
    finder_.same("the id of what ended", was->containerID, is->containerID);
    finder_.same("its exit code", std::int64_t{was->exitCode}, std::int64_t{is->exitCode});
    finder_.same("the reason of its end", was->reason, is->reason);
    finder_.same("the start of what ended", was->startedAt, is->startedAt);
    finder_.same("the time of its end", was->finishedAt, is->finishedAt);
  }

  void compare_readiness() {
    if (before_.ready && !after_.ready) finder_.add("it runs, was ready, and is not any more");
    if (before_.started.value_or(false) && !after_.started.value_or(false))
      finder_.add("it runs, was started, and is not any more");
  }

  // Between the end of its backoff and its start, the container is shown as terminated, and so is a
  // container that no longer waits for anything.
  void compare_wait() {
    if (waits_in_crash_loop(after_))
      return finder_.same("its waiting message", before_.state.waiting->message,
                          after_.state.waiting->message);
    const auto over = backoff_over_at(before_);
    if (over && at_.now >= *over && is_being_created(after_)) return;
    if (!after_.state.terminated || (!pod_ends_ && over && at_.now < *over)) became_another();
  }

  void compare_restarted() {
    if (!before_.containerID.empty() && before_.containerID == after_.containerID && !pod_ends_)
      finder_.add("it was restarted, and has the id of before");
    const auto over = backoff_over_at(before_);
    const auto begun = begun_at(after_);
    if (!over || !begun || after_.restartCount != before_.restartCount + 1 ||
        before_.containerID == after_.containerID)
      return;
    if (begun->at < *over || begun->at > *over + kLate)
      finder_.add(fmt::format("restart {} came at {}, and its backoff was over at {}",
                              after_.restartCount, text(begun), api::Time{*over}.to_string()));
  }

  void became_another() {
    finder_.add(
        fmt::format("it was {}, and is {}", state_name(before_.state), state_name(after_.state)));
  }

  const api::ContainerStatus& before_;
  const api::ContainerStatus& after_;
  bool pod_ends_;
  const ShownAt& at_;
  Finder& finder_;
};

void compare_containers(const api::Pod& before, const api::Pod& after, const ShownAt& at,
                        Differences& found) {
  for (const auto* was : container_statuses(before)) {
    Finder finder(after.metadata.name + "/" + was->name, found);
    const auto statuses = container_statuses(after);
    const auto is = std::ranges::find(statuses, was->name, [](const auto* it) { return it->name; });
    if (is == statuses.end()) {
      finder.add("it is shown no more");
      continue;
    }
    ContainerChange(*was, **is, ends(after), at, finder).compare();
  }
}

void look_at_expectation(const api::Pod& shown, Finder& finder) {
  const std::string expected = expectation(shown);
  const auto* ready = condition_of(shown, "Ready");
  const bool is_ready = ready != nullptr && ready->status == "True";
  if (expected == kReadyPod && !is_ready) finder.add("it is not Ready, and should be");
  if (expected == kUnreadyPod && is_ready) finder.add("it is Ready, and cannot be");
  if (expected == kOverPod && !is_final(shown)) finder.add("it is not over any more");
  if (expected != kReadyPod && expected != kUnreadyPod && expected != kOverPod) return;
  for (const auto* status : container_statuses(shown))
    if (status->restartCount != 0)
      finder.add(fmt::format("{} was restarted, for no reason", status->name));
}

// The first restart is free; then it is 10 s, doubling each time.
void look_at_backoff(const api::ContainerStatus& status, const ShownAt& at, Finder& finder) {
  const auto over = backoff_over_at(status);
  if (!over) {
    if (waits_in_crash_loop(status))
      finder.add("it waits, and nobody knows for how long: " + status.state.waiting->message);
    return;
  }
  std::chrono::seconds window = kFirstWindow;
  for (int restart = 1; restart < status.restartCount; ++restart)
    window = std::min(window * 2, kLongestWindow);
  const WallTime expected = status.lastState.terminated->finishedAt->at + window;
  if (*over != expected)
    finder.add(fmt::format("after {} restarts its backoff is over at {}, and should be at {}",
                           status.restartCount, api::Time{*over}.to_string(),
                           api::Time{expected}.to_string()));
  if (at.now > std::max(*over, at.undisturbed_since) + kLate)
    finder.add(fmt::format("it still waits, although its backoff was over at {}",
                           api::Time{*over}.to_string()));
}

}  // namespace

std::string expectation(const api::Pod& pod) {
  const auto found = pod.metadata.labels.find(kExpectation);
  return found == pod.metadata.labels.end() ? "" : found->second;
}

std::vector<const api::ContainerStatus*> container_statuses(const api::Pod& pod) {
  std::vector<const api::ContainerStatus*> all;
  for (const auto* list : {&pod.status.initContainerStatuses, &pod.status.containerStatuses})
    for (const auto& status : *list) all.push_back(&status);
  return all;
}

std::optional<WallTime> backoff_over_at(const api::ContainerStatus& status) {
  constexpr std::string_view kPrefix = "back-off ";
  const auto& last = status.lastState.terminated;
  if (!waits_in_crash_loop(status) || !last || !last->finishedAt) return std::nullopt;
  std::string_view message = status.state.waiting->message;
  if (!message.starts_with(kPrefix)) return std::nullopt;
  message.remove_prefix(kPrefix.size());
  const auto window = api::Duration::parse(message.substr(0, message.find(' ')));
  if (!window) return std::nullopt;
  return last->finishedAt->at + window->value;
}

Differences forbidden_changes(const api::Pod& before, const api::Pod& after, const ShownAt& at) {
  Differences found;
  Finder finder(after.metadata.name, found);
  compare_pods(before, after, at, finder);
  compare_containers(before, after, at, found);
  return found;
}

Differences impossible(const api::Pod& shown, const ShownAt& at) {
  Differences found;
  Finder finder(shown.metadata.name, found);
  look_at_expectation(shown, finder);
  const auto statuses = container_statuses(shown);
  for (const auto* status : statuses) {
    Finder of_container(shown.metadata.name + "/" + status->name, found);
    look_at_backoff(*status, at, of_container);
  }
  const auto& deadline = shown.metadata.deletionTimestamp;
  const bool runs = std::ranges::any_of(
      statuses, [](const auto* status) { return status->state.running.has_value(); });
  if (deadline && runs && !at.ends_held_back &&
      at.now > std::max(deadline->at, at.undisturbed_since) + kLate)
    finder.add(fmt::format("it still runs, although it had until {}", text(deadline)));
  return found;
}

std::string summary(const api::Pod& pod) {
  std::string line = pod.status.phase;
  for (const auto& condition : pod.status.conditions)
    line += fmt::format(" {}={}@{}", condition.type, condition.status,
                        text(condition.lastTransitionTime));
  for (const auto* status : container_statuses(pod)) {
    line += fmt::format("; {} {} restarts {} {}", status->name, status->containerID,
                        status->restartCount, state_name(status->state));
    for (const auto* state : {&status->state, &status->lastState})
      if (state->terminated)
        line += fmt::format(", {} ended {} with {} {}", state->terminated->containerID,
                            text(state->terminated->finishedAt), state->terminated->exitCode,
                            state->terminated->reason);
  }
  return line;
}

}  // namespace berth::integration
