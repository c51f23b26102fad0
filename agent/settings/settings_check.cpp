// SPDX-License-Identifier: Apache-2.0

#include "agent/settings/settings_check.hpp"

namespace berth::agent {

Place SettingsCheck::place_of(std::string_view path) const {
  std::string at(path);
  // The key of a map: evictionHard[memory.available].
  if (const auto open = at.find('['); open != std::string::npos && at.ends_with(']')) {
    at[open] = '.';
    at.pop_back();
  }
  // A path without a position of its own, such as a list element, is shown at its parent.
  while (true) {
    const auto known = places_.find(at);
    if (known != places_.end()) return known->second;
    const auto end = at.find_last_of(".[");
    if (end == std::string::npos) return {};
    at.resize(end);
  }
}

void SettingsCheck::refuse(std::string_view path, std::string message) {
  const Place place = place_of(path);
  problems_.push_back({.file = place.file.empty() ? file_ : place.file,
                       .line = place.line,
                       .column = place.column,
                       .path = std::string(path),
                       .message = std::move(message)});
}

void SettingsCheck::set_positive(std::chrono::nanoseconds& setting, std::string_view path,
                                 const std::optional<api::Duration>& value) {
  if (!value || value->value.count() == 0) return;
  if (value->value.count() < 0) {
    refuse(path, "must not be negative, but is " + value->to_string());
    return;
  }
  setting = value->value;
}

void SettingsCheck::set_path(std::string& setting, std::string_view path,
                             const std::optional<std::string>& value) {
  if (!value || value->empty()) return;
  if (!value->starts_with('/')) {
    refuse(path, "must be an absolute path, not \"" + *value + "\"");
    return;
  }
  setting = *value;
  while (setting.size() > 1 && setting.ends_with('/')) setting.pop_back();
}

std::optional<std::size_t> SettingsCheck::choose(std::string_view path,
                                                 const std::optional<std::string>& value,
                                                 const std::vector<std::string>& words) {
  if (!value || value->empty()) return std::nullopt;
  const auto found = std::ranges::find(words, *value);
  if (found != words.end()) return static_cast<std::size_t>(found - words.begin());
  std::string message = "must be one of";
  for (const auto& word : words) message += (&word == &words.front() ? " " : ", ") + word;
  refuse(path, message + "; not \"" + *value + "\"");
  return std::nullopt;
}

}  // namespace berth::agent
