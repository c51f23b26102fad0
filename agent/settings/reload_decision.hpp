// SPDX-License-Identifier: Apache-2.0

// What a reload does, all or nothing: which settings are in force afterwards, what changed at once,
// and what waits for a restart of berthd. Pure.
#pragma once

#include <string>
#include <vector>

#include "agent/settings/changed_settings.hpp"
#include "agent/settings/options.hpp"

namespace berth::agent {

struct ReloadDecision {
  // All problems of the file, each with its place. If there are any, nothing below is set.
  std::vector<std::string> problems{};

  // The differences between the settings in force and those of the file, by field.
  std::vector<SettingChange> changes{};
  // In force from now on: those of the file as far as they can change while berthd runs, else as
  // before.
  Settings settings{};
  // Whether the changes take effect only if the node, measured under the new thresholds, shows that
  // no pod would be evicted at once (agent/eviction/reload_check).
  bool evicts_nobody_at_once = false;
  std::vector<std::string> new_warnings{};
  std::vector<std::string> new_unused_fields{};
};

[[nodiscard]] ReloadDecision decide_reload(const Settings& in_force, const LoadedSettings& loaded);

// The changes that wait for a restart of berthd.
[[nodiscard]] std::vector<SettingChange> pending_changes(const std::vector<SettingChange>& changes);

// The last line about a reload: "2 changes are in force; 1 takes effect when berthd is restarted".
[[nodiscard]] std::string reload_summary(const std::vector<SettingChange>& changes);

}  // namespace berth::agent
