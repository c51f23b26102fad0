// SPDX-License-Identifier: Apache-2.0

#include "agent/eviction/simulated_eviction.hpp"

#include <algorithm>
#include <chrono>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "agent/eviction/eviction_wire.hpp"
#include "agent/settings/config_text.hpp"
#include "eviction/simulate.hpp"
#include "eviction/threshold_lint.hpp"

namespace berth::agent {
namespace {

Result<Settings> settings_of(const std::vector<ConfigText>& configuration,
                             const std::string& node_name) {
  auto parsed = parse_configuration(configuration);
  std::vector<ConfigProblem> problems = std::move(parsed.problems);
  Settings settings = resolve_settings(parsed.documents, {}, node_name, problems);
  if (problems.empty()) return settings;
  std::string list;
  for (const auto& problem : problems) list += (list.empty() ? "" : "\n") + problem.to_string();
  return fail(ErrorCode::kInvalid, std::move(list));
}

bool is_of_all_pods(const eviction::Threshold& threshold) {
  return threshold.signal == eviction::Signal::kAllocatableMemoryAvailable ||
         threshold.signal == eviction::Signal::kAllocatableMemoryAvailableWithCache;
}

std::string words(const PodsLimit& limit) {
  return limit.is_enforced ? limit.reserved.to_string() : "no limit";
}

// The history records what was left of the pods' memory limit that was in force then.
std::string limit_warning(const Settings& settings, const PodsLimit& in_force) {
  const auto& thresholds = settings.eviction.config.thresholds;
  const auto asked = std::ranges::find_if(thresholds, is_of_all_pods);
  const PodsLimit limit = pods_limit(settings);
  if (asked == thresholds.end() || limit == in_force) return {};
  return fmt::format(
      "{} is what was left below the limit of all pods as it was recorded; this file would set "
      "another (kubeReserved and systemReserved of memory: {}; in force: {})",
      to_string(asked->signal), words(limit), words(in_force));
}

// What only a measurement shows about thresholds: which are met as soon as they are in force, and
// which soft ones never act first. The rest is among the warnings about the file.
void warn_by_measurement(const Settings& settings, const eviction::History& history,
                         control::v1::SimulateEvictionsReply& out) {
  const eviction::Sample* newest = history.newest();
  if (newest == nullptr) return;
  for (const auto& finding :
       eviction::lint_thresholds({.thresholds = settings.eviction.config.thresholds,
       .now = eviction::observe(newest->node)})) {
    const bool is_measured = finding.kind == eviction::LintKind::kMetNow ||
                             finding.kind == eviction::LintKind::kSoftNotBeforeHard;
    const std::string warning = "eviction: " + finding.message;
    if (is_measured && std::ranges::find(settings.warnings, warning) == settings.warnings.end())
      out.add_warnings(warning);
  }
}

}  // namespace

PodsLimit pods_limit(const Settings& settings) {
  PodsLimit limit{.is_enforced = settings.eviction.enforce_pods_allocatable};
  for (const auto* reserved : {&settings.pods.kube_reserved, &settings.pods.system_reserved}) {
    const auto memory = reserved->find("memory");
    if (memory == reserved->end()) continue;
    if (const auto amount = api::Quantity::parse(memory->second)) limit.reserved += *amount;
  }
  return limit;
}

Result<control::v1::SimulateEvictionsReply> simulated(const SimulationInput& input) {
  const auto settings = settings_of(input.configuration, input.node_name);
  if (!settings) return fail(settings.error());
  const eviction::EvictionConfig& config = settings->eviction.config;
  control::v1::SimulateEvictionsReply reply;
  for (const auto& threshold : config.thresholds) reply.add_thresholds(to_string(threshold));
  for (const auto& warning : settings->warnings) reply.add_warnings(warning);
  if (auto warning = limit_warning(*settings, input.in_force); !warning.empty())
    reply.add_warnings(std::move(warning));
  warn_by_measurement(*settings, input.history, reply);
  put(eviction::simulate(input.history, config, input.layout), reply);
  if (input.with_series) put_series(input.history, config.thresholds, reply);
  return reply;
}

Result<eviction::History> history_since(const eviction::History& history, SteadyTime now,
                                        std::optional<std::int64_t> since_seconds) {
  if (since_seconds && *since_seconds < 0)
    return fail(ErrorCode::kInvalid, "since: must not be negative");
  // Nothing is older than a year; more seconds would not fit.
  const auto span = std::min<std::int64_t>(since_seconds.value_or(0),
                                           std::chrono::seconds(std::chrono::years(1)).count());
  const SteadyTime since = now - std::chrono::seconds(span);
  const auto samples = history.samples();
  eviction::History out(eviction::HistoryPolicy{{.capacity = samples.size()}});
  for (const eviction::Sample* sample : samples)
    if (!since_seconds || sample->at >= since) out.add(*sample);
  return out;
}

}  // namespace berth::agent
