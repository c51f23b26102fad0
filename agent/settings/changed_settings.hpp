// SPDX-License-Identifier: Apache-2.0

// What differs between two settings, field by field, and which of it can change while berthd runs.
// Pure.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "agent/settings/settings.hpp"

namespace berth::agent {

// When a changed field takes effect.
enum class TakesEffect : std::uint8_t { kAtOnce, kAtRestart };

struct SettingChange {
  // As the configuration has it, one key of a map by itself: "maxPods",
  // "evictionHard[memory.available]".
  std::string field{};
  // The values in effect, defaults included; none for what is not there, "" for what is empty.
  std::string before{};
  std::string after{};
  TakesEffect takes_effect = TakesEffect::kAtRestart;

  bool operator==(const SettingChange&) const = default;
};

// "maxPods: 110 -> 3"
[[nodiscard]] std::string to_string(const SettingChange& change);

// By field. Fields that do not influence berthd are not compared, nor are other ways to write the
// same.
[[nodiscard]] std::vector<SettingChange> changed_settings(const Settings& before,
                                                          const Settings& after);

}  // namespace berth::agent
