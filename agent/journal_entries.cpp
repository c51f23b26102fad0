// SPDX-License-Identifier: Apache-2.0

#include "agent/journal_entries.hpp"

#include <syslog.h>

#include <algorithm>
#include <cctype>
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

// The path of the source tree as the compiler saw it: this file's path without its part within the
// source.
std::string_view source_root() {
  constexpr std::string_view kThis = __FILE__;
  constexpr std::string_view kPath = "agent/journal_entries.cpp";
  static_assert(kThis.ends_with(kPath));
  return kThis.substr(0, kThis.size() - kPath.size());
}

bool within_word(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '-' || c == '_';
}

// Whether `rest` continues the word. The dot that ends a sentence does not.
bool goes_on(std::string_view rest) {
  if (rest.empty()) return false;
  return within_word(rest[0]) || (rest[0] == '.' && rest.size() > 1 && within_word(rest[1]));
}

// "web" is a word of "shop/web ends", and none of "website", "web-2" and "www.web".
bool has_word(std::string_view text, std::string_view word) {
  for (std::size_t at = text.find(word); at != text.npos; at = text.find(word, at + 1)) {
    const bool begins = at == 0 || !(within_word(text[at - 1]) || text[at - 1] == '.');
    if (begins && !goes_on(text.substr(at + word.size()))) return true;
  }
  return false;
}

void add_place(std::vector<std::string>& entries, const std::source_location& where) {
  std::string_view file = where.file_name();
  if (file.empty()) return;
  if (file.starts_with(source_root())) file.remove_prefix(source_root().size());
  // Compiled by itself through ccache, a source has a path relative to the build folder.
  constexpr std::string_view kAbove = "../";
  while (file.starts_with(kAbove)) file.remove_prefix(kAbove.size());
  entries.push_back("CODE_FILE=" + std::string(file));
  entries.push_back("CODE_LINE=" + std::to_string(where.line()));
  if (const auto function = plain_function(where.function_name()); !function.empty())
    entries.push_back("CODE_FUNC=" + std::string(function));
}

std::string_view value_of(const std::vector<LogField>& fields, std::string_view key) {
  const auto found = std::ranges::find(fields, key, &LogField::key);
  return found == fields.end() ? std::string_view() : std::string_view(found->value);
}

// "default/web-node1 app: ", unless the message names the pod itself, and without the container if
// it names that: in plain text a reader could not see which pod each of many lines is about.
std::string subject(const LogLine& line) {
  const std::string_view pod = value_of(line.fields, "POD");
  if (pod.empty() || has_word(line.message, pod)) return {};
  std::string text = std::string(value_of(line.fields, "NAMESPACE")) + "/" + std::string(pod);
  const std::string_view container = value_of(line.fields, "CONTAINER");
  if (!container.empty() && !has_word(line.message, container))
    text += " " + std::string(container);
  return text + ": ";
}

// A pod that is refused under pressure has the same reason as an evicted one, but was not ranked.
std::string_view catalogued_as(const LogLine& line) {
  if (line.event == "Evicted" && value_of(line.fields, "SIGNAL").empty()) return {};
  return systemd::message_id(line.event);
}

}  // namespace

std::string_view plain_function(std::string_view signature) {
  // Clang's name for it has the bracket with which the parameters begin.
  constexpr std::string_view kUnnamedByClang = "(anonymous namespace)::";
  for (auto open = signature.find('('); open != signature.npos; open = signature.find('(')) {
    if (!signature.substr(open).starts_with(kUnnamedByClang)) break;
    signature.remove_prefix(open + kUnnamedByClang.size());
  }
  std::string_view name = signature.substr(0, signature.find('('));
  // The return type precedes it; one in angle brackets may have spaces.
  int depth = 0;
  for (std::size_t at = name.size(); at > 0; --at) {
    const char c = name[at - 1];
    if (c == '>') ++depth;
    if (c == '<') --depth;
    if (c != ' ' || depth != 0) continue;
    name.remove_prefix(at);
    break;
  }
  constexpr std::string_view kUnnamed = "{anonymous}::";
  if (const std::size_t at = name.rfind(kUnnamed); at != name.npos)
    name.remove_prefix(at + kUnnamed.size());
  constexpr std::string_view kOurs = "berth::";
  if (name.starts_with(kOurs)) name.remove_prefix(kOurs.size());
  return name;
}

std::vector<std::string> journal_entries(const LogLine& line, const std::string& node_name) {
  std::vector<std::string> entries;
  entries.push_back("MESSAGE=" + one_line(subject(line) + std::string(line.message)));
  entries.push_back("PRIORITY=" + std::to_string(priority(line.level)));
  entries.emplace_back("SYSLOG_IDENTIFIER=berthd");
  entries.push_back("BERTH_EVENT=" + std::string(line.event));
  if (const auto id = catalogued_as(line); !id.empty())
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
