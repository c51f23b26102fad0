// SPDX-License-Identifier: Apache-2.0

#include "lifecycle/ledger/why_words.hpp"

#include <array>

#include <fmt/format.h>

#include "lifecycle/pod_spec.hpp"
#include "lifecycle/reasons.hpp"

namespace berth::lifecycle {

std::string clock_text(WallTime at, WallTime now) {
  constexpr std::size_t kDate = 10;  // 2006-01-02T15:04:05Z
  constexpr std::size_t kClock = 8;
  const std::string text = api::Time{at}.to_string();
  const std::string today = api::Time{now}.to_string();
  const std::string clock = text.substr(kDate + 1, kClock);
  if (text.substr(0, kDate) == today.substr(0, kDate)) return clock;
  return text.substr(0, kDate) + " " + clock;
}

std::string span_text(Nanoseconds span) {
  using std::chrono::duration_cast;
  if (span < std::chrono::seconds(1)) {
    return fmt::format("{} ms", duration_cast<std::chrono::milliseconds>(span).count());
  }
  struct Unit {
    std::int64_t seconds = 1;
    const char* name = "s";
  };
  constexpr std::array kUnits = {Unit{86400, "d"}, Unit{3600, "h"}, Unit{60, "min"}, Unit{1, "s"}};
  std::int64_t left = duration_cast<std::chrono::seconds>(span).count();
  for (std::size_t i = 0; i < kUnits.size(); ++i) {
    if (left < kUnits[i].seconds) continue;
    const std::int64_t whole = left / kUnits[i].seconds;
    left %= kUnits[i].seconds;
    std::string text = fmt::format("{} {}", whole, kUnits[i].name);
    if (i + 1 < kUnits.size() && left >= kUnits[i + 1].seconds)
      text += fmt::format(" {} {}", left / kUnits[i + 1].seconds, kUnits[i + 1].name);
    return text;
  }
  return "0 s";
}

std::string container_text(const api::Pod* pod, std::string_view name) {
  const api::Container* init = pod == nullptr ? nullptr : find_init_container(*pod, name);
  if (init == nullptr) return fmt::format("container {}", name);
  return fmt::format("{} {}", is_sidecar(*init) ? "sidecar" : "init container", name);
}

std::string exit_code_text(std::int32_t code) {
  struct Signal {
    std::int32_t number = 0;
    const char* name = "";
  };
  constexpr std::array kSignals = {Signal{1, "HUP"},   Signal{2, "INT"},  Signal{3, "QUIT"},
                                   Signal{4, "ILL"},   Signal{6, "ABRT"}, Signal{7, "BUS"},
                                   Signal{8, "FPE"},   Signal{9, "KILL"}, Signal{11, "SEGV"},
                                   Signal{13, "PIPE"}, Signal{15, "TERM"}};
  constexpr std::int32_t kSignalled = 128;  // the shell's and every runtime's convention
  for (const Signal& signal : kSignals) {
    if (code == kSignalled + signal.number)
      return fmt::format("exit code {} (signal {})", code, signal.name);
  }
  return fmt::format("exit code {}", code);
}

std::string stop_text(std::string_view who, std::int64_t seconds) {
  return fmt::format("berthd stops {}, with {} s to exit", who, seconds);
}

std::string hook_text(std::string_view who, std::string_view until) {
  return fmt::format("the preStop hook of {} runs, until {} at the latest", who, until);
}

std::string ended_text(const RuntimeContainer& container, WallTime now) {
  if (container.state != cri::ContainerState::kExited) return "";
  const bool out_of_memory = container.reason == kOomKilled;
  std::string text = out_of_memory ? fmt::format(
                                         "was killed for using more memory than it may ({}, exit "
                                         "code {})",
                                         container.reason, container.exit_code)
                                   : "ended with " + exit_code_text(container.exit_code);
  const bool says_more = !out_of_memory && !container.reason.empty() &&
                         container.reason != "Error" && container.reason != "Completed";
  if (says_more) text += fmt::format(" ({})", container.reason);
  if (container.finished_at > 0) {
    text += " at " + clock_text(WallTime{Nanoseconds{container.finished_at}}, now);
    if (container.started_at > 0 && container.started_at <= container.finished_at)
      text += ", after " + span_text(Nanoseconds{container.finished_at - container.started_at});
  }
  return text;
}

std::string backoff_text(const RestartBackoff& history, const RestartBackoffPolicy& policy,
                         const RestartIdentity& identity) {
  const auto entry = history.entries.find(identity.key());
  if (entry == history.entries.end()) return "";
  return fmt::format("backoff {}; starts over after {} up",
                     span_text(window_of(entry->second, policy)), span_text(policy.reset_after));
}

std::string pull_backoff_text(const ImagePullBackoff& history, const api::Pod& pod,
                              std::string_view container) {
  const std::string image = identity_in(pod, container).image;
  const auto entry = history.entries.find({pod.metadata.uid, image});
  if (entry == history.entries.end()) return "";
  return fmt::format("backoff {}", span_text(entry->second.window));
}

RestartIdentity identity_in(const api::Pod& pod, std::string_view container) {
  if (const auto* found = find_container(pod, container)) return restart_identity(pod, *found);
  if (const auto* found = find_init_container(pod, container)) return restart_identity(pod, *found);
  return restart_identity(pod, std::string(container), "", {});
}

}  // namespace berth::lifecycle
