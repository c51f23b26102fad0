// SPDX-License-Identifier: Apache-2.0

#include "agent/shutdown/shutdown_settings.hpp"

#include <algorithm>
#include <chrono>
#include <set>

#include <fmt/core.h>

namespace berth::agent {
namespace {

using lifecycle::ShutdownGroup;
using std::chrono::seconds;

constexpr const char* kWhole = "shutdownGracePeriod";
constexpr const char* kCritical = "shutdownGracePeriodCriticalPods";
constexpr const char* kByPriority = "shutdownGracePeriodByPodPriority";

// The priorities that the two fields without a list mean in Kubernetes: those of pods, and of
// system-critical pods.
constexpr std::int32_t kAnyPod = 0;
constexpr std::int32_t kSystemCritical = 2'000'000'000;

// A year: nobody waits longer for a machine to shut down, and sums of it do not overflow.
constexpr seconds kLongest = std::chrono::years(1);

seconds whole_seconds(std::chrono::nanoseconds period) {
  return std::chrono::duration_cast<seconds>(period);
}

bool may_be(const char* field, const api::Duration& period, ResolvedShutdown& out) {
  const bool fits = period.value >= seconds(1) && period.value <= kLongest;
  if (period.value == std::chrono::nanoseconds::zero() || fits) return true;
  out.problems.push_back(
      {field, fmt::format("must be 0 or between 1s and {}, not {}",
                          api::Duration{kLongest}.to_string(), period.to_string())});
  return false;
}

// The kubelet truncates either part to whole seconds.
void resolve_two_groups(const api::Duration& whole, const api::Duration& critical,
                        ResolvedShutdown& out) {
  // Checks both, so that every problem is reported.
  const bool whole_is_sound = may_be(kWhole, whole, out);
  const bool critical_is_sound = may_be(kCritical, critical, out);
  if (!whole_is_sound || !critical_is_sound) return;
  if (critical.value > whole.value) {
    out.problems.push_back(
        {kCritical, fmt::format("must not be longer than {}, of which it is a part: {}, not {}",
                                kWhole, whole.to_string(), critical.to_string())});
    return;
  }
  if (whole.value == std::chrono::nanoseconds::zero()) return;
  out.configured = {
      .groups = {{.priority = kAnyPod, .period = whole_seconds(whole.value - critical.value)},
                 {.priority = kSystemCritical, .period = whole_seconds(critical.value)}},
      .field = kWhole};
}

void resolve_list(const std::vector<ShutdownGracePeriodByPodPriority>& list,
                  ResolvedShutdown& out) {
  std::set<std::int32_t> stated;
  for (std::size_t i = 0; i < list.size(); ++i) {
    const std::string element = fmt::format("{}[{}]", kByPriority, i);
    const std::int32_t priority = list[i].priority.value_or(kAnyPod);
    const std::int64_t period = list[i].shutdownGracePeriodSeconds.value_or(0);
    if (!stated.insert(priority).second)
      out.problems.push_back({element + ".priority",
                              fmt::format("{} is stated twice: each group has its own", priority)});
    if (period < 0 || period > kLongest.count())
      out.problems.push_back(
          {element + ".shutdownGracePeriodSeconds",
           fmt::format("must be between 0 and {}, not {}", kLongest.count(), period)});
    out.configured.groups.push_back({.priority = priority, .period = seconds(period)});
  }
  std::ranges::sort(out.configured.groups, {}, &ShutdownGroup::priority);
  out.configured.field = kByPriority;
}

}  // namespace

ResolvedShutdown resolve_shutdown(const KubeletConfiguration& kubelet) {
  ResolvedShutdown out;
  const api::Duration whole = kubelet.shutdownGracePeriod.value_or(api::Duration{});
  const api::Duration critical = kubelet.shutdownGracePeriodCriticalPods.value_or(api::Duration{});
  const auto& list = kubelet.shutdownGracePeriodByPodPriority;
  if (!list || list->empty()) {
    resolve_two_groups(whole, critical, out);
  } else if (whole.value.count() != 0 || critical.value.count() != 0) {
    out.problems.push_back(
        {kByPriority, fmt::format("cannot stand beside {} and {}: leave out one or the other",
                                  kWhole, kCritical)});
  } else {
    resolve_list(*list, out);
  }
  if (!out.problems.empty()) out.configured = {};
  return out;
}

}  // namespace berth::agent
