// SPDX-License-Identifier: Apache-2.0

#include "agent/journal_entries.hpp"

#include <syslog.h>

#include <string_view>

#include "base/text.hpp"
#include "systemd/message_id.hpp"

namespace berth::agent {

int priority(LogLevel level) {
  switch (level) {
    case LogLevel::kDebug:
      return LOG_DEBUG;
    case LogLevel::kInfo:
      return LOG_INFO;
    case LogLevel::kWarn:
      return LOG_WARNING;
    case LogLevel::kError:
      return LOG_ERR;
  }
  return LOG_INFO;
}

namespace {

// What the compiler was told of this file, without its path in the source: where that begins.
std::string_view source_root() {
  constexpr std::string_view kThis = __FILE__;
  constexpr std::string_view kPath = "agent/journal_entries.cpp";
  static_assert(kThis.ends_with(kPath));
  return kThis.substr(0, kThis.size() - kPath.size());
}

void add_place(std::vector<std::string>& entries, const std::source_location& where) {
  std::string_view file = where.file_name();
  if (file.empty()) return;
  if (file.starts_with(source_root())) file.remove_prefix(source_root().size());
  entries.push_back("CODE_FILE=" + std::string(file));
  entries.push_back("CODE_LINE=" + std::to_string(where.line()));
  entries.push_back("CODE_FUNC=" + std::string(where.function_name()));
}

}  // namespace

std::vector<std::string> journal_entries(const LogLine& line, const std::string& node_name) {
  std::vector<std::string> entries;
  entries.push_back("MESSAGE=" + one_line(line.message));
  entries.push_back("PRIORITY=" + std::to_string(priority(line.level)));
  entries.emplace_back("SYSLOG_IDENTIFIER=berthd");
  entries.push_back("BERTH_EVENT=" + std::string(line.event));
  if (const auto id = systemd::message_id(line.event); !id.empty())
    entries.push_back("MESSAGE_ID=" + std::string(id));
  const std::string suffix = "-" + node_name;
  for (const auto& [key, value] : line.fields) {
    entries.push_back("BERTH_" + key + "=" + one_line(value));
    if (key != "POD" || value.size() <= suffix.size() || !value.ends_with(suffix)) continue;
    entries.push_back("BERTH_POD=" + one_line(value.substr(0, value.size() - suffix.size())));
  }
  add_place(entries, line.where);
  return entries;
}

}  // namespace berth::agent
