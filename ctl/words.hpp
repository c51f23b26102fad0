// SPDX-License-Identifier: Apache-2.0

// Parses the words of a command line: resource types and names, durations, output formats. Pure.
// Errors are kInvalid, in words for the user.
#pragma once

#include <chrono>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/clock_types.hpp"
#include "base/result.hpp"

namespace berth::ctl {

enum class ObjectType : std::uint8_t { kPod, kNode, kEvent, kProbe, kBudget };

// "pods", "pod", "po" ...
[[nodiscard]] Result<ObjectType> object_type(std::string_view word);

struct TypedObjects {
  ObjectType type{};
  std::vector<std::string> names{};  // empty: all of that type
};
// `pods a b`, `pod/a pod/b`; all of one type.
[[nodiscard]] Result<TypedObjects> typed_objects(const std::vector<std::string>& words);

enum class Output : std::uint8_t { kTable, kWide, kJson, kYaml, kName };

// Commands that list objects support all of these; commands about one thing text, JSON and YAML.
inline constexpr Output kListFormats[] = {Output::kTable, Output::kWide, Output::kJson,
                                          Output::kYaml, Output::kName};
inline constexpr Output kReportFormats[] = {Output::kTable, Output::kJson, Output::kYaml};

// An empty word is kTable.
[[nodiscard]] Result<Output> output_format(std::string_view word, std::span<const Output> known);

// "0.5" and "90" count seconds, "1m30s" is in Go's notation; zero: no limit.
[[nodiscard]] Result<Nanoseconds> request_timeout(std::string_view text);

// The same in whole seconds, rounded up, so that a non-zero value does not become zero.
[[nodiscard]] Result<std::chrono::seconds> whole_seconds(std::string_view option,
                                                         std::string_view text);

// "-o=json" as kubectl reads it: the value has no equals sign.
[[nodiscard]] std::vector<std::string> without_equals(std::vector<std::string> words);

}  // namespace berth::ctl
