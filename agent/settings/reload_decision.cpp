// SPDX-License-Identifier: Apache-2.0

#include "agent/settings/reload_decision.hpp"

#include <algorithm>
#include <utility>

namespace berth::agent {
namespace {

std::vector<std::string> not_in(const std::vector<std::string>& known,
                                const std::vector<std::string>& lines) {
  std::vector<std::string> out;
  std::ranges::copy_if(lines, std::back_inserter(out), [&](const std::string& line) {
    return std::ranges::find(known, line) == known.end();
  });
  return out;
}

// Eviction's new rules, except for those of fields that wait for a restart.
eviction::EvictionConfig live_eviction(const EvictionSettings& in_force,
                                       const EvictionSettings& loaded) {
  eviction::EvictionConfig config = loaded.config;
  config.rules.static_pods_are_critical = in_force.config.rules.static_pods_are_critical;
  config.local_storage_capacity_isolation = in_force.config.local_storage_capacity_isolation;
  if (in_force.enforce_pods_allocatable != loaded.enforce_pods_allocatable)
    config.thresholds =
        eviction::with_allocatable(std::move(config.thresholds), in_force.enforce_pods_allocatable);
  return config;
}

}  // namespace

ReloadDecision decide_reload(const Settings& in_force, const LoadedSettings& loaded) {
  ReloadDecision out;
  for (const auto& problem : loaded.problems) out.problems.push_back(problem.to_string());
  if (!out.problems.empty()) return out;

  const Settings& wanted = loaded.settings;
  out.changes = changed_settings(in_force, wanted);
  out.new_warnings = not_in(in_force.warnings, wanted.warnings);
  out.new_unused_fields = not_in(in_force.unused_fields, wanted.unused_fields);
  out.settings = in_force;
  out.settings.config_file = wanted.config_file;
  out.settings.drop_ins = wanted.drop_ins;
  out.settings.log_level = wanted.log_level;
  out.settings.unused_fields = wanted.unused_fields;
  out.settings.warnings = wanted.warnings;
  out.settings.eviction.config = live_eviction(in_force.eviction, wanted.eviction);
  out.settings.eviction.at_once = wanted.eviction.at_once;
  out.evicts_nobody_at_once = wanted.eviction.at_once == EvictAtOnce::kRefuse &&
                              out.settings.eviction.config != in_force.eviction.config;
  return out;
}

std::vector<SettingChange> pending_changes(const std::vector<SettingChange>& changes) {
  std::vector<SettingChange> out;
  std::ranges::copy_if(changes, std::back_inserter(out), [](const SettingChange& change) {
    return change.takes_effect == TakesEffect::kAtRestart;
  });
  return out;
}

std::string reload_summary(const std::vector<SettingChange>& changes) {
  const std::size_t waiting = pending_changes(changes).size();
  const std::size_t at_once = changes.size() - waiting;
  if (changes.empty()) return "the configuration was read again; nothing has changed";
  const auto counted = [](std::size_t count, const char* one, const char* many) {
    return std::to_string(count) + (count == 1 ? one : many);
  };
  std::string text = "the configuration was read again: ";
  if (at_once > 0) text += counted(at_once, " change is in force", " changes are in force");
  if (at_once > 0 && waiting > 0) text += "; ";
  if (waiting > 0)
    text += counted(waiting, " takes effect when berthd is restarted",
                    " take effect when berthd is restarted");
  return text;
}

}  // namespace berth::agent
