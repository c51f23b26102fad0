// SPDX-License-Identifier: Apache-2.0

// Checks of single settings; each problem names its field.
#pragma once

#include <algorithm>
#include <chrono>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "agent/settings/settings.hpp"

namespace berth::agent {

class SettingsCheck {
 public:
  SettingsCheck(std::string file, const std::map<std::string, Place>& places,
                std::vector<ConfigProblem>& problems)
      : file_(std::move(file)), places_(places), problems_(problems) {}

  void refuse(std::string_view path, std::string message);

  // Each sets the setting to the value, if there is one and it is valid.
  template <class T>
  void set(T& setting, const std::optional<T>& value) {
    if (value) setting = *value;
  }
  template <class T>
  void set_within(T& setting, std::string_view path, const std::optional<T>& value, T low, T high) {
    if (!value) return;
    if (*value < low || *value > high) {
      refuse(path, "must be between " + std::to_string(low) + " and " + std::to_string(high) +
                       ", not " + std::to_string(*value));
    } else {
      setting = *value;
    }
  }
  // Zero counts as unset, as in the kubelet, for fields that it does not keep apart from missing
  // ones: those whose type has no `*` in kubelet-config.tsv.
  template <class T>
  void set_nonzero_within(T& setting, std::string_view path, const std::optional<T>& value, T low,
                          T high) {
    if (value != T{}) set_within(setting, path, value, low, high);
  }
  void set_positive(std::chrono::nanoseconds& setting, std::string_view path,
                    const std::optional<api::Duration>& value);
  void set_path(std::string& setting, std::string_view path,
                const std::optional<std::string>& value);
  // The index of the value in `words`; refuses others, listing them all.
  std::optional<std::size_t> choose(std::string_view path, const std::optional<std::string>& value,
                                    const std::vector<std::string>& words);

 private:
  [[nodiscard]] Place place_of(std::string_view path) const;

  std::string file_;
  const std::map<std::string, Place>& places_;
  std::vector<ConfigProblem>& problems_;
};

// The parts of resolve_settings, one per document.
void resolve_kubelet(const KubeletConfiguration& kubelet, SettingsCheck& check, Settings& settings);
void resolve_berth(const BerthConfiguration& berth, SettingsCheck& check, Settings& settings);

// Fields of KubeletConfiguration that berth uses (or refuses to start with).
[[nodiscard]] bool kubelet_field_is_used(std::string_view field);

}  // namespace berth::agent
