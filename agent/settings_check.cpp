#include "agent/settings_check.hpp"

namespace berth::agent {

void SettingsCheck::refuse(std::string_view path, std::string message) {
  problems_.push_back({.file = file_, .path = std::string(path), .message = std::move(message)});
}

void SettingsCheck::take_positive(std::chrono::nanoseconds& setting, std::string_view path,
                                  const std::optional<api::Duration>& value) {
  if (!value || value->value.count() == 0) return;
  if (value->value.count() < 0) {
    refuse(path, "must not be negative, but is " + value->to_string());
    return;
  }
  setting = value->value;
}

void SettingsCheck::take_path(std::string& setting, std::string_view path,
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
