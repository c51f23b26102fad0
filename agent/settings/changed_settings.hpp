// SPDX-License-Identifier: Apache-2.0

// The differences between two settings, field by field, and which of them can take effect while
// berthd runs. Pure.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "agent/settings/settings.hpp"

namespace berth::agent {

// When a changed field takes effect.
enum class TakesEffect : std::uint8_t { kAtOnce, kAtRestart };

struct SettingChange {
  // As the configuration names it; each key of a map is a field of its own: "maxPods",
  // "evictionHard[memory.available]".
  std::string field{};
  // The values in effect, defaults included, as text; the word none if unset, "" if empty.
  std::string before{};
  std::string after{};
  TakesEffect takes_effect = TakesEffect::kAtRestart;

  bool operator==(const SettingChange&) const = default;
};

// "maxPods: 110 -> 3"
[[nodiscard]] std::string to_string(const SettingChange& change);

// By field. Ignores fields that do not influence berthd, and different notations of the same value.
[[nodiscard]] std::vector<SettingChange> changed_settings(const Settings& before,
                                                          const Settings& after);

}  // namespace berth::agent
