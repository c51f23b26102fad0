// SPDX-License-Identifier: Apache-2.0

// What a reload does, all or nothing: which settings are in force afterwards, what changed at once,
// and what waits for berthd's restart. Pure.
#pragma once

#include <string>
#include <vector>

#include "agent/settings/changed_settings.hpp"
#include "agent/settings/options.hpp"

namespace berth::agent {

struct ReloadDecision {
  // All that is wrong with the file, each with its place. If there is any, nothing below is set.
  std::vector<std::string> problems{};

  // Between the settings in force and those of the file, by field.
  std::vector<SettingChange> changes{};
  // In force from now on: those of the file as far as they can change while berthd runs, else as
  // before.
  Settings settings{};
  // Only if the node, measured under the new thresholds, shows that nobody would be evicted at
  // once (agent/eviction/reload_check).
  bool evicts_nobody_at_once = false;
  std::vector<std::string> new_warnings{};
  std::vector<std::string> new_unused_fields{};
};

[[nodiscard]] ReloadDecision decide_reload(const Settings& in_force, const LoadedSettings& loaded);

// Of the changes, those that wait for berthd's restart.
[[nodiscard]] std::vector<SettingChange> pending_changes(const std::vector<SettingChange>& changes);

// The last line about a reload: "2 changes are in force; 1 takes effect when berthd is restarted".
[[nodiscard]] std::string reload_summary(const std::vector<SettingChange>& changes);

}  // namespace berth::agent
