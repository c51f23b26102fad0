// SPDX-License-Identifier: Apache-2.0

#include "ctl/words.hpp"

#include <algorithm>
#include <array>
#include <optional>

#include <fmt/format.h>

#include "api/nearest_name.hpp"
#include "api/time.hpp"

namespace berth::ctl {
namespace {

struct TypeName {
  std::string_view word{};
  ObjectType type{};
};
constexpr std::array kTypeNames = {
    TypeName{"pods", ObjectType::kPod},
    TypeName{"pod", ObjectType::kPod},
    TypeName{"po", ObjectType::kPod},
    TypeName{"nodes", ObjectType::kNode},
    TypeName{"node", ObjectType::kNode},
    TypeName{"no", ObjectType::kNode},
    TypeName{"events", ObjectType::kEvent},
    TypeName{"event", ObjectType::kEvent},
    TypeName{"ev", ObjectType::kEvent},
    TypeName{"probes", ObjectType::kProbe},
    TypeName{"probe", ObjectType::kProbe},
    TypeName{"poddisruptionbudgets", ObjectType::kBudget},
    TypeName{"poddisruptionbudget", ObjectType::kBudget},
    TypeName{"pdb", ObjectType::kBudget},
};
constexpr std::array<std::string_view, 5> kTypesShown = {"pods", "node", "events", "probes",
                                                         "poddisruptionbudgets"};

struct FormatName {
  std::string_view word{};
  Output output{};
};
constexpr std::array kFormatNames = {
    FormatName{"table", Output::kTable}, FormatName{"wide", Output::kWide},
    FormatName{"json", Output::kJson},   FormatName{"yaml", Output::kYaml},
    FormatName{"name", Output::kName},
};

std::string did_you_mean(std::string_view word, std::span<const std::string_view> known) {
  const auto near = api::nearest_name(word, known);
  return near ? fmt::format(" (did you mean \"{}\"?)", *near) : "";
}

// Removes `TYPE/` from a word.
Result<ObjectType> consume_type(std::string& word) {
  const auto slash = word.find('/');
  const auto type = object_type(std::string_view(word).substr(0, slash));
  if (!type) return type;
  if (slash + 1 == word.size())
    return fail(ErrorCode::kInvalid, fmt::format("\"{}\" has no name; write TYPE/NAME", word));
  word.erase(0, slash + 1);
  return type;
}

bool is_decimal(std::string_view text) {
  return !text.empty() && text.find_first_not_of("0123456789.") == std::string_view::npos &&
         std::ranges::count(text, '.') <= 1 && text != ".";
}

Result<Nanoseconds> span_of_time(std::string_view text) {
  const auto parsed = api::Duration::parse(is_decimal(text) ? std::string(text) + "s" : text);
  if (!parsed) return std::unexpected(parsed.error());
  return parsed->value;
}

}  // namespace

Result<ObjectType> object_type(std::string_view word) {
  const auto* const found = std::ranges::find(kTypeNames, word, &TypeName::word);
  if (found != kTypeNames.end()) return found->type;
  return fail(ErrorCode::kInvalid,
              fmt::format("unknown resource type \"{}\"{}; known are {}", word,
                          did_you_mean(word, kTypesShown), fmt::join(kTypesShown, ", ")));
}

Result<TypedObjects> typed_objects(const std::vector<std::string>& words) {
  if (words.empty())
    return fail(ErrorCode::kInvalid, fmt::format("which type? {}", fmt::join(kTypesShown, ", ")));
  TypedObjects objects{.names = words};
  auto& names = objects.names;
  if (names.front().find('/') == std::string::npos) {
    const auto type = object_type(names.front());
    if (!type) return std::unexpected(type.error());
    objects.type = *type;
    names.erase(names.begin());
    return objects;
  }
  for (auto& name : names) {
    if (name.find('/') == std::string::npos)
      return fail(ErrorCode::kInvalid,
                  fmt::format("\"{}\" has no type; write TYPE NAME... or TYPE/NAME...", name));
    const auto type = consume_type(name);
    if (!type) return std::unexpected(type.error());
    if (&name != &names.front() && *type != objects.type)
      return fail(
          ErrorCode::kInvalid,
          fmt::format("\"{}\" is of another type than \"{}\"; ask for one type at a time",
                      words[static_cast<std::size_t>(&name - names.data())], words.front()));
    objects.type = *type;
  }
  return objects;
}

Result<Output> output_format(std::string_view word, std::span<const Output> known) {
  if (word.empty()) return Output::kTable;
  std::vector<std::string_view> words;
  for (const FormatName& format : kFormatNames) {
    if (std::ranges::find(known, format.output) == known.end()) continue;
    if (format.word == word) return format.output;
    words.push_back(format.word);
  }
  return fail(ErrorCode::kInvalid, fmt::format("unknown output format \"{}\"{}; known are {}", word,
                                               did_you_mean(word, words), fmt::join(words, ", ")));
}

Result<Nanoseconds> request_timeout(std::string_view text) {
  const auto span = span_of_time(text);
  if (span && *span >= Nanoseconds::zero()) return span;
  return fail(ErrorCode::kInvalid,
              fmt::format("--request-timeout: \"{}\" is no span of time; write seconds or a number "
                          "with its unit, such as 0.5, 10s, 1m; 0: no limit",
                          text));
}

Result<std::chrono::seconds> whole_seconds(std::string_view option, std::string_view text) {
  const auto span = span_of_time(text);
  if (!span) return fail(wrap(option, span.error()));
  if (*span < Nanoseconds::zero())
    return fail(ErrorCode::kInvalid, fmt::format("{}: must not be negative: {}", option, text));
  return std::chrono::ceil<std::chrono::seconds>(*span);
}

std::vector<std::string> without_equals(std::vector<std::string> words) {
  for (auto& word : words) {
    const bool short_option = word.size() > 3 && word[0] == '-' && word[1] != '-';
    if (short_option && word[2] == '=') word.erase(2, 1);
  }
  return words;
}

}  // namespace berth::ctl
