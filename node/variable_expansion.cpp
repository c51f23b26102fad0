#include "node/variable_expansion.hpp"

#include <set>

namespace berth::node {

std::string expand_variables(std::string_view text, const Lookup& lookup) {
  std::string out;
  out.reserve(text.size());
  std::size_t at = 0;
  while (at < text.size()) {
    if (text[at] != '$' || at + 1 == text.size()) {
      out += text[at++];
      continue;
    }
    const char next = text[at + 1];
    const auto close = next == '(' ? text.find(')', at + 2) : std::string_view::npos;
    if (close != std::string_view::npos) {
      const std::string name(text.substr(at + 2, close - at - 2));
      const auto value = lookup(name);
      out += value ? *value : "$(" + name + ")";
      at = close + 1;
      continue;
    }
    // "$$" is one dollar; any other pair is what it looks like.
    out += '$';
    if (next != '$') out += next;
    at += 2;
  }
  return out;
}

std::vector<std::string> expand_command(const std::vector<std::string>& words,
                                        const Variables& variables) {
  const Lookup lookup = [&](const std::string& name) -> std::optional<std::string> {
    const auto found = variables.find(name);
    if (found == variables.end()) return std::nullopt;
    return found->second;
  };
  std::vector<std::string> out;
  out.reserve(words.size());
  for (const auto& word : words) out.push_back(expand_variables(word, lookup));
  return out;
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
  std::string out = expand_variables(text, lookup);
  if (missing.empty()) return out;
  std::string names;
  for (const auto& name : missing) names += (names.empty() ? "" : ", ") + name;
  return fail(ErrorCode::kInvalid, "missing value for " + names);
}

}  // namespace berth::node
