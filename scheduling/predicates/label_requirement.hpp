// SPDX-License-Identifier: Apache-2.0

// One requirement on labels, parsed: a line of a label selector or of a node selector.
//
// Pure. A parse error is returned as the API's own field errors, below the given path.
#pragma once

#include <cstdint>
#include <expected>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "api/field_error.hpp"
#include "api/field_path.hpp"

namespace berth::scheduling {

using Labels = std::map<std::string, std::string>;

enum class LabelOperator : std::uint8_t { kIn, kNotIn, kExists, kDoesNotExist, kGt, kLt };

struct LabelRequirement {
  std::string key{};
  LabelOperator op = LabelOperator::kExists;
  std::vector<std::string> values{};
  std::int64_t bound = 0;  // the single value of Gt and Lt, as a number

  // An absent label matches NotIn and DoesNotExist; Gt and Lt only match a label that is a number.
  [[nodiscard]] bool matches(const Labels& labels) const;

  bool operator==(const LabelRequirement&) const = default;
};

// The API's operator with that name; `std::nullopt` if there is none.
[[nodiscard]] std::optional<LabelOperator> label_operator(std::string_view name);

[[nodiscard]] std::expected<LabelRequirement, api::FieldErrors> parse_label_requirement(
    std::string_view key, LabelOperator op, const std::vector<std::string>& values,
    const api::FieldPath& path);

}  // namespace berth::scheduling
