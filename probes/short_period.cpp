// SPDX-License-Identifier: Apache-2.0

#include "probes/short_period.hpp"

#include <algorithm>
#include <charconv>
#include <chrono>
#include <optional>

#include <fmt/format.h>

namespace berth::probes {
namespace {

constexpr int kShortest = 100;  // ms
constexpr int kLongest = 999;

struct Named {
  std::string container;
  ProbeType type;
  const api::Probe* probe;
};

// All probes that a pod has.
std::vector<Named> all_probes(const api::Pod& pod) {
  std::vector<Named> out;
  const auto add = [&out](const api::Container& container) {
    const auto one = [&](ProbeType type, const std::optional<api::Probe>& probe) {
      if (probe) out.push_back({container.name, type, &*probe});
    };
    one(ProbeType::kStartup, container.startupProbe);
    one(ProbeType::kReadiness, container.readinessProbe);
    one(ProbeType::kLiveness, container.livenessProbe);
  };
  for (const auto& container : pod.spec.containers) add(container);
  for (const auto& container : pod.spec.initContainers) {
    if (container.restartPolicy == "Always") add(container);
  }
  return out;
}

std::string_view trimmed(std::string_view text) {
  const auto begin = text.find_first_not_of(' ');
  if (begin == std::string_view::npos) return {};
  return text.substr(begin, text.find_last_not_of(' ') - begin + 1);
}

std::string lower_name(ProbeType type) {
  std::string name(to_string(type));
  name[0] = static_cast<char>(name[0] - 'A' + 'a');
  return name;
}

std::string problem(std::string_view entry, std::string_view what) {
  return fmt::format("metadata.annotations[{}]: \"{}\": {}", kShortPeriodAnnotation, entry, what);
}

}  // namespace

ShortPeriods short_periods(const api::Pod& pod) {
  ShortPeriods out;
  const auto annotation = pod.metadata.annotations.find(std::string(kShortPeriodAnnotation));
  if (annotation == pod.metadata.annotations.end()) return out;
  const auto probes = all_probes(pod);
  std::string_view rest = annotation->second;
  while (!rest.empty()) {
    const auto comma = std::min(rest.find(','), rest.size());
    const std::string_view entry = trimmed(rest.substr(0, comma));
    rest.remove_prefix(std::min(comma + 1, rest.size()));
    if (entry.empty()) continue;
    const std::string_view name = entry.substr(0, entry.find('='));
    const auto probe = std::find_if(probes.begin(), probes.end(), [&](const Named& named) {
      return name == named.container + "/" + lower_name(named.type);
    });
    if (probe == probes.end()) {
      out.problems.push_back(problem(
          entry,
          "no such probe of this pod; expected CONTAINER/readiness=250, or liveness, startup"));
      continue;
    }
    if (probe->probe->exec) {
      out.problems.push_back(problem(entry, "an exec probe cannot run more than once a second"));
      continue;
    }
    const std::string_view number = entry.substr(std::min(name.size() + 1, entry.size()));
    int milliseconds = 0;
    const auto [end, error] =
        std::from_chars(number.data(), number.data() + number.size(), milliseconds);
    if (error != std::errc{} || end != number.data() + number.size() || milliseconds < kShortest ||
        milliseconds > kLongest) {
      out.problems.push_back(
          problem(entry, fmt::format("expected milliseconds from {} to {}", kShortest, kLongest)));
      continue;
    }
    out.periods[{probe->container, probe->type}] = std::chrono::milliseconds{milliseconds};
  }
  return out;
}

}  // namespace berth::probes
