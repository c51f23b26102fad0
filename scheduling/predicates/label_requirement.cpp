// SPDX-License-Identifier: Apache-2.0

#include "scheduling/predicates/label_requirement.hpp"

#include <algorithm>
#include <charconv>

#include "api/validation/validate_grammar.hpp"

namespace berth::scheduling {
namespace {

// A signed 64-bit decimal, as Go parses it: at most one sign, then only digits.
std::optional<std::int64_t> decimal(std::string_view text) {
  // from_chars accepts a minus but no plus sign.
  if (text.starts_with('+')) {
    text.remove_prefix(1);
    if (text.starts_with('-')) return std::nullopt;
  }
  std::int64_t value = 0;
  const auto parsed = std::from_chars(text.data(), text.data() + text.size(), value);
  if (parsed.ec != std::errc{} || parsed.ptr != text.data() + text.size()) return std::nullopt;
  return value;
}

std::string joined(const std::vector<std::string>& details) {
  std::string text;
  for (const std::string& detail : details) {
    if (!text.empty()) text += "; ";
    text += detail;
  }
  return text;
}

// The API prints an absent list as null.
api::Shown shown(const std::vector<std::string>& values) {
  return values.empty() ? api::json_text("null") : api::json_strings(values);
}

void check_values(api::FieldErrors& errors, LabelOperator op,
                  const std::vector<std::string>& values, const api::FieldPath& path) {
  switch (op) {
    case LabelOperator::kIn:
    case LabelOperator::kNotIn:
      if (values.empty()) {
        errors.push_back(api::invalid(path, shown(values),
                                      "for 'in', 'notin' operators, values set can't be empty"));
      }
      return;
    case LabelOperator::kExists:
    case LabelOperator::kDoesNotExist:
      if (!values.empty()) {
        errors.push_back(api::invalid(path, shown(values),
                                      "values set must be empty for exists and does not exist"));
      }
      return;
    case LabelOperator::kGt:
    case LabelOperator::kLt:
      if (values.size() != 1) {
        errors.push_back(api::invalid(path, shown(values),
                                      "for 'Gt', 'Lt' operators, exactly one value is required"));
      }
      for (std::size_t i = 0; i < values.size(); ++i) {
        if (decimal(values[i])) continue;
        errors.push_back(api::invalid(path / i, api::quoted(values[i]),
                                      "for 'Gt', 'Lt' operators, the value must be an integer"));
      }
      return;
  }
}

}  // namespace

bool LabelRequirement::matches(const Labels& labels) const {
  const auto label = labels.find(key);
  const bool present = label != labels.end();
  const auto listed = [&] {
    return std::find(values.begin(), values.end(), label->second) != values.end();
  };
  switch (op) {
    case LabelOperator::kIn:
      return present && listed();
    case LabelOperator::kNotIn:
      return !present || !listed();
    case LabelOperator::kExists:
      return present;
    case LabelOperator::kDoesNotExist:
      return !present;
    case LabelOperator::kGt:
    case LabelOperator::kLt:
      break;
  }
  const auto value = present ? decimal(label->second) : std::nullopt;
  if (!value) return false;
  return op == LabelOperator::kGt ? *value > bound : *value < bound;
}

std::optional<LabelOperator> label_operator(std::string_view name) {
  if (name == "In") return LabelOperator::kIn;
  if (name == "NotIn") return LabelOperator::kNotIn;
  if (name == "Exists") return LabelOperator::kExists;
  if (name == "DoesNotExist") return LabelOperator::kDoesNotExist;
  if (name == "Gt") return LabelOperator::kGt;
  if (name == "Lt") return LabelOperator::kLt;
  return std::nullopt;
}

std::expected<LabelRequirement, api::FieldErrors> parse_label_requirement(
    std::string_view key, LabelOperator op, const std::vector<std::string>& values,
    const api::FieldPath& path) {
  api::FieldErrors errors;
  if (const auto details = api::grammar::qualified_name(key); !details.empty()) {
    errors.push_back(api::invalid(path / "key", api::quoted(key), joined(details)));
  }
  check_values(errors, op, values, path / "values");
  for (std::size_t i = 0; i < values.size(); ++i) {
    const auto details = api::grammar::label_value(values[i]);
    if (details.empty()) continue;
    errors.push_back(
        api::invalid((path / "values" / i).key(key), api::quoted(values[i]), joined(details)));
  }
  if (!errors.empty()) return std::unexpected(std::move(errors));
  LabelRequirement parsed{.key = std::string(key), .op = op, .values = values};
  if (op == LabelOperator::kGt || op == LabelOperator::kLt) parsed.bound = *decimal(values.front());
  return parsed;
}

}  // namespace berth::scheduling
