// SPDX-License-Identifier: Apache-2.0

#include "node/container/variable_expansion.hpp"

#include <algorithm>
#include <set>
#include <utility>

#include <fmt/format.h>

namespace berth::node {
namespace {

std::unexpected<Error> too_long() {
  return fail(ErrorCode::kInvalid,
              fmt::format("expanded it is longer than the {} bytes that Linux takes in one string",
                          kLongestString));
}

std::unexpected<Error> too_long_a_text() {
  return fail(ErrorCode::kInvalid,
              fmt::format("before expansion it is longer than the {} bytes that are expanded",
                          kLongestText));
}

// Kubernetes takes the byte after a dollar for a character of its own, and what is left of the
// character is no text any more, for which the runtime's JSON has the replacement character.
constexpr std::string_view kReplacement = "\uFFFD";

bool is_ascii(char c) {
  return static_cast<unsigned char>(c) < 0x80;
}

bool is_continuation(char c) {
  return (static_cast<unsigned char>(c) & 0xC0U) == 0x80;
}

// U+0080 to U+00FF, in UTF-8.
std::string as_code_point(char c) {
  const auto byte = static_cast<unsigned char>(c);
  return {static_cast<char>(0xC0U | (byte >> 6U)), static_cast<char>(0x80U | (byte & 0x3FU))};
}

}  // namespace

Result<std::string> expand_variables(std::string_view text, const Lookup& lookup) {
  if (text.size() > kLongestText) return too_long_a_text();
  // No reference ends from here on, and none is searched for: a text of many "$(" would otherwise
  // be read to its end once for each. 0 if there is none at all.
  const std::size_t closed_before = text.rfind(')') + 1;
  std::string out;
  out.reserve(std::min(text.size(), kLongestString));
  std::size_t at = 0;
  while (at < text.size()) {
    if (out.size() > kLongestString) return too_long();
    if (text[at] != '$' || at + 1 == text.size()) {
      out += text[at++];
      continue;
    }
    const char next = text[at + 1];
    if (next == '(' && at + 2 < closed_before) {
      const auto close = text.find(')', at + 2);
      const std::string name(text.substr(at + 2, close - at - 2));
      const auto value = lookup(name);
      out += value ? *value : "$(" + name + ")";
      at = close + 1;
      continue;
    }
    // "$$" is one dollar; any other pair is copied unchanged, if it is ASCII.
    out += '$';
    at += 2;
    if (is_ascii(next)) {
      if (next != '$') out += next;
    } else {
      out += as_code_point(next);
      for (; at < text.size() && is_continuation(text[at]); ++at) out += kReplacement;
    }
  }
  if (out.size() > kLongestString) return too_long();
  return out;
}

Result<std::vector<std::string>> expand_command(const std::vector<std::string>& words,
                                                const Variables& variables) {
  const Lookup lookup = [&](const std::string& name) -> std::optional<std::string> {
    const auto found = variables.find(name);
    if (found == variables.end()) return std::nullopt;
    return found->second;
  };
  std::vector<std::string> out;
  out.reserve(words.size());
  std::size_t bytes = 0;
  for (const auto& word : words) {
    auto expanded = expand_variables(word, lookup);
    if (!expanded)
      return fail(wrap(fmt::format("word {}", out.size() + 1), std::move(expanded.error())));
    bytes += expanded->size() + 1;
    if (bytes > kMostStringBytes)
      return fail(ErrorCode::kInvalid,
                  fmt::format("word {}: up to here it is longer than the {} bytes that Linux takes",
                              out.size() + 1, kMostStringBytes));
    out.push_back(std::move(*expanded));
  }
  return out;
}

std::vector<std::string> expand_probe_command(const std::vector<std::string>& words,
                                              const Variables& variables) {
  auto expanded = expand_command(words, variables);
  return expanded ? std::move(*expanded) : words;
}

Result<std::string> expand_sub_path(std::string_view text, const Variables& variables) {
  std::set<std::string> missing;
  const Lookup lookup = [&](const std::string& name) -> std::optional<std::string> {
    const auto found = variables.find(name);
    if (found == variables.end() || found->second.empty()) {
      missing.insert(name);
      return "";
    }
    return found->second;
  };
  auto out = expand_variables(text, lookup);
  if (missing.empty()) return out;
  std::string names;
  for (const auto& name : missing) names += (names.empty() ? "" : ", ") + name;
  return fail(ErrorCode::kInvalid, "missing value for " + names);
}

}  // namespace berth::node
