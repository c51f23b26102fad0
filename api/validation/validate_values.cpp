// SPDX-License-Identifier: Apache-2.0

#include "api/validation/validate_values.hpp"

#include <algorithm>

namespace berth::api {

namespace {

constexpr std::int32_t kMostFileMode = 0777;

}  // namespace

void add_invalid(FieldErrors& errors, const FieldPath& path, const Shown& value,
                 const grammar::Details& details) {
  for (const std::string& detail : details) errors.push_back(invalid(path, value, detail));
}

void check_text(FieldErrors& errors, const FieldPath& path, std::string_view value,
                TextGrammar grammar) {
  const grammar::Details details = grammar(value);
  if (!details.empty()) add_invalid(errors, path, quoted(value), details);
}

void check_required_text(FieldErrors& errors, const FieldPath& path, std::string_view value,
                         TextGrammar grammar) {
  if (value.empty()) {
    errors.push_back(required(path));
  } else {
    check_text(errors, path, value, grammar);
  }
}

void require(FieldErrors& errors, const FieldPath& path, std::string_view value) {
  if (value.empty()) errors.push_back(required(path));
}

void check_non_negative(FieldErrors& errors, const FieldPath& path, std::int64_t value) {
  if (value < 0) {
    errors.push_back(invalid(path, number(value), "must be greater than or equal to 0"));
  }
}

void check_between(FieldErrors& errors, const FieldPath& path, std::int64_t value,
                   std::int64_t least, std::int64_t most) {
  if (value >= least && value <= most) return;
  errors.push_back(invalid(
      path, number(value),
      "must be between " + std::to_string(least) + " and " + std::to_string(most) + ", inclusive"));
}

void check_id(FieldErrors& errors, const FieldPath& path, const std::optional<std::int64_t>& id) {
  if (id) add_invalid(errors, path, number(*id), grammar::user_or_group_id(*id));
}

void check_file_mode(FieldErrors& errors, const FieldPath& path,
                     const std::optional<std::int32_t>& mode) {
  if (!mode || (*mode >= 0 && *mode <= kMostFileMode)) return;
  errors.push_back(
      invalid(path, number(*mode), "must be a number between 0 and 0777 (octal), both inclusive"));
}

bool has_backstep(std::string_view value) {
  while (true) {
    const std::size_t end = value.find('/');
    if (value.substr(0, end) == "..") return true;
    if (end == value.npos) return false;
    value.remove_prefix(end + 1);
  }
}

void check_no_backsteps(FieldErrors& errors, const FieldPath& path, std::string_view value) {
  if (has_backstep(value)) {
    errors.push_back(invalid(path, quoted(value), "must not contain '..'"));
  }
}

void check_descending_path(FieldErrors& errors, const FieldPath& path, std::string_view value) {
  if (value.starts_with('/')) {
    errors.push_back(invalid(path, quoted(value), "must be a relative path"));
  }
  check_no_backsteps(errors, path, value);
}

void check_local_path(FieldErrors& errors, const FieldPath& path, std::string_view value) {
  check_descending_path(errors, path, value);
  if (value.starts_with("..") && !value.starts_with("../")) {
    errors.push_back(invalid(path, quoted(value), "must not start with '..'"));
  }
}

void check_labels(FieldErrors& errors, const FieldPath& path,
                  const std::map<std::string, std::string>& labels) {
  for (const auto& [key, value] : labels) {
    check_text(errors, path, key, grammar::qualified_name);
    check_text(errors, path, value, grammar::label_value);
  }
}

void check_label_selector(FieldErrors& errors, const FieldPath& path,
                          const LabelSelector& selector) {
  check_labels(errors, path / "matchLabels", selector.matchLabels);
  for (std::size_t i = 0; i < selector.matchExpressions.size(); ++i) {
    const LabelSelectorRequirement& requirement = selector.matchExpressions[i];
    const FieldPath at = path / "matchExpressions" / i;
    const std::string& op = requirement.operator_;
    if (op == "In" || op == "NotIn") {
      if (requirement.values.empty()) {
        errors.push_back(
            required(at / "values", "must be specified when `operator` is 'In' or 'NotIn'"));
      }
    } else if (op == "Exists" || op == "DoesNotExist") {
      if (!requirement.values.empty()) {
        errors.push_back(forbidden(
            at / "values", "may not be specified when `operator` is 'Exists' or 'DoesNotExist'"));
      }
    } else {
      errors.push_back(invalid(at / "operator", json_string(op), "not a valid selector operator"));
    }
    check_text(errors, at / "key", requirement.key, grammar::qualified_name);
    for (std::size_t k = 0; k < requirement.values.size(); ++k) {
      check_text(errors, at / "values" / k, requirement.values[k], grammar::label_value);
    }
  }
}

void check_one_of(FieldErrors& errors, const FieldPath& path, std::string_view value,
                  std::initializer_list<std::string_view> supported) {
  if (std::find(supported.begin(), supported.end(), value) != supported.end()) return;
  errors.push_back(not_supported(path, json_string(value), supported));
}

std::string join(const std::vector<std::string>& texts, std::string_view separator) {
  std::string joined;
  for (std::size_t i = 0; i < texts.size(); ++i) {
    if (i > 0) joined += separator;
    joined += texts[i];
  }
  return joined;
}

std::string to_lower(std::string_view text) {
  std::string lower(text);
  for (char& c : lower) {
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  }
  return lower;
}

bool is_padded(std::string_view text) {
  constexpr std::string_view kSpaces[] = {" ",
                                          "\t",
                                          "\n",
                                          "\v",
                                          "\f",
                                          "\r",
                                          "\xC2\x85",
                                          "\xC2\xA0",
                                          "\xE1\x9A\x80",
                                          "\xE2\x80\x80",
                                          "\xE2\x80\x81",
                                          "\xE2\x80\x82",
                                          "\xE2\x80\x83",
                                          "\xE2\x80\x84",
                                          "\xE2\x80\x85",
                                          "\xE2\x80\x86",
                                          "\xE2\x80\x87",
                                          "\xE2\x80\x88",
                                          "\xE2\x80\x89",
                                          "\xE2\x80\x8A",
                                          "\xE2\x80\xA8",
                                          "\xE2\x80\xA9",
                                          "\xE2\x80\xAF",
                                          "\xE2\x81\x9F",
                                          "\xE3\x80\x80"};
  for (const std::string_view space : kSpaces) {
    if (text.starts_with(space) || text.ends_with(space)) return true;
  }
  return false;
}

}  // namespace berth::api
