// SPDX-License-Identifier: Apache-2.0

#include "agent/logs/log_query.hpp"

#include <algorithm>
#include <limits>
#include <utility>
#include <vector>

#include "api/time.hpp"
#include "node/log_lines.hpp"

namespace berth::agent {
namespace {

// By default the runtime splits longer lines into parts of 16 KiB.
constexpr std::size_t kLineHeld = std::size_t{64} << 10U;
constexpr const char* kDefaultContainer = "kubectl.kubernetes.io/default-container";

std::string joined(const std::vector<std::string>& names) {
  std::string text;
  for (const auto& name : names) text += (text.empty() ? "" : ", ") + name;
  return text;
}

std::unexpected<Error> no_log(const api::Pod& pod, const std::string& container,
                              const std::string& what) {
  return fail(ErrorCode::kInvalid,
              "container \"" + container + "\" in pod \"" + pod.metadata.name + "\" " + what);
}

}  // namespace

std::string LogFilter::feed(std::string_view bytes) {
  while (!bytes.empty() && !full()) {
    const auto end = bytes.find('\n');
    const auto part = bytes.substr(0, end);
    if (rest_ == Rest::kHeld) {
      hold(part);
    } else if (rest_ != Rest::kLeftOut) {
      put(part);
    }
    if (end == std::string_view::npos) break;
    end_line();
    bytes.remove_prefix(end + 1);
  }
  return std::exchange(out_, {});
}

void LogFilter::hold(std::string_view part) {
  held_ += part;
  if (held_.size() > kLineHeld) begin_shown();
}

void LogFilter::begin_shown() {
  const Shown shown = show(held_);
  held_.clear();
  rest_ = shown.rest;
  put(shown.text);
}

void LogFilter::end_line() {
  if (rest_ == Rest::kHeld) begin_shown();
  if (rest_ == Rest::kShown) put("\n");
  rest_ = Rest::kHeld;
}

void LogFilter::put(std::string_view text) {
  if (left_) {
    text = text.substr(0, static_cast<std::size_t>(std::max<std::int64_t>(*left_, 0)));
    *left_ -= static_cast<std::int64_t>(text.size());
  }
  out_ += text;
}

LogFilter::Shown LogFilter::show(std::string_view text) const {
  const auto line = node::parse_log_line(text);
  if (!line) return {};
  if (query_.since) {
    const auto time = api::Time::parse(line->time);
    if (time && time->at < *query_.since) return {};
  }
  Shown shown{.rest = line->partial ? Rest::kUnended : Rest::kShown};
  if (query_.timestamps) shown.text = std::string(line->time) + " ";
  shown.text += line->content;
  return shown;
}

std::optional<std::size_t> TailSearch::before(std::string_view piece) {
  for (std::size_t at = piece.size(); at > 0; --at) {
    const bool last = std::exchange(at_end_, false);
    if (piece[at - 1] != '\n' || last) continue;
    if (--left_ == 0) return at;
  }
  return std::nullopt;
}

TailSought TailSought::of(std::int64_t lines) {
  constexpr std::int64_t kMostLines = (std::numeric_limits<std::int64_t>::max() - kLeast) / kLine;
  return {.lines = lines, .bytes = kLeast + std::clamp<std::int64_t>(lines, 0, kMostLines) * kLine};
}

Result<ChosenContainer> choose_container(const api::Pod& pod, const std::string& wanted) {
  std::vector<std::string> regular;
  for (const auto& container : pod.spec.containers) regular.push_back(container.name);
  std::vector<std::string> all = regular;
  std::vector<std::string> shown = regular;
  for (const auto& container : pod.spec.initContainers) {
    all.push_back(container.name);
    shown.push_back(container.name + " (init)");
  }
  const auto known = [&](const std::string& name) {
    return std::ranges::find(all, name) != all.end();
  };
  if (!wanted.empty()) {
    if (known(wanted)) return ChosenContainer{.name = wanted};
    return fail(ErrorCode::kNotFound, "container \"" + wanted + "\" not found in pod \"" +
                                          pod.metadata.name + "\"; it has: " + joined(shown));
  }
  const auto annotated = pod.metadata.annotations.find(kDefaultContainer);
  if (annotated != pod.metadata.annotations.end() && known(annotated->second)) {
    return ChosenContainer{.name = annotated->second};
  }
  if (regular.empty()) {
    return fail(ErrorCode::kNotFound, "pod \"" + pod.metadata.name + "\" has no containers");
  }
  if (all.size() == 1) return ChosenContainer{.name = regular.front()};
  return ChosenContainer{
      .name = regular.front(),
      .notice = "Defaulted container \"" + regular.front() + "\" out of: " + joined(shown)};
}

const api::ContainerStatus* find_container_status(const api::Pod& pod,
                                                  const std::string& container) {
  for (const auto* list : {&pod.status.containerStatuses, &pod.status.initContainerStatuses,
                           &pod.status.ephemeralContainerStatuses}) {
    for (const auto& status : *list) {
      if (status.name == container) return &status;
    }
  }
  return nullptr;
}

Result<LogInstance> choose_instance(const api::Pod& pod, const std::string& container,
                                    bool previous) {
  const auto* status = find_container_status(pod, container);
  if (status == nullptr) return no_log(pod, container, "is not available");
  const bool ran_before = status->lastState.terminated.has_value();
  const auto& state = status->state;
  if (previous) {
    if (!ran_before) {
      return fail(ErrorCode::kInvalid, "previous terminated container \"" + container +
                                           "\" in pod \"" + pod.metadata.name + "\" not found");
    }
    // For a container that waits for its restart, the current instance is the one that ended last.
    const bool counted_on = state.running.has_value() || state.terminated.has_value();
    return LogInstance{.restart_count = status->restartCount - (counted_on ? 1 : 0)};
  }
  if (state.running || state.terminated) {
    return LogInstance{.restart_count = status->restartCount, .running = state.running.has_value()};
  }
  if (ran_before) return LogInstance{.restart_count = status->restartCount};
  const auto reason = state.waiting ? state.waiting->reason : std::string();
  if (reason == "ErrImagePull") {
    return no_log(pod, container, "is waiting to start: image can't be pulled");
  }
  if (reason == "ImagePullBackOff") {
    return no_log(pod, container, "is waiting to start: trying and failing to pull image");
  }
  if (!reason.empty()) return no_log(pod, container, "is waiting to start: " + reason);
  return no_log(pod, container, "is waiting to start - no logs yet");
}

}  // namespace berth::agent
