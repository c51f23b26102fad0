// SPDX-License-Identifier: Apache-2.0

// Rules that many fields share: grammars reported as field errors, paths inside a pod, file modes,
// ranges. Each appends its findings to `errors`. Pure.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "api/field_error.hpp"
#include "api/meta.hpp"
#include "api/validation/validate_grammar.hpp"

namespace berth::api {

// Adds an Invalid error for each violation of a grammar.
void add_invalid(FieldErrors& errors, const FieldPath& path, const Shown& value,
                 const grammar::Details& details);
// The same for a text that is shown quoted.
using TextGrammar = grammar::Details (*)(std::string_view);
void check_text(FieldErrors& errors, const FieldPath& path, std::string_view value,
                TextGrammar grammar);
// Reports Required if empty, else checks the grammar.
void check_required_text(FieldErrors& errors, const FieldPath& path, std::string_view value,
                         TextGrammar grammar);
void require(FieldErrors& errors, const FieldPath& path, std::string_view value);

void check_non_negative(FieldErrors& errors, const FieldPath& path, std::int64_t value);
void check_between(FieldErrors& errors, const FieldPath& path, std::int64_t value,
                   std::int64_t least, std::int64_t most);
void check_id(FieldErrors& errors, const FieldPath& path, const std::optional<std::int64_t>& id);
// Must be from 0 to 0777 (octal).
void check_file_mode(FieldErrors& errors, const FieldPath& path,
                     const std::optional<std::int32_t>& mode);

void check_no_backsteps(FieldErrors& errors, const FieldPath& path, std::string_view value);
// Must be relative and without "..".
void check_descending_path(FieldErrors& errors, const FieldPath& path, std::string_view value);
// Must be a descending path whose first name does not start with "..".
void check_local_path(FieldErrors& errors, const FieldPath& path, std::string_view value);
[[nodiscard]] bool has_backstep(std::string_view value);

// For matchLabels, nodeSelector, labels: checks keys and values; errors show both without naming
// the key.
void check_labels(FieldErrors& errors, const FieldPath& path,
                  const std::map<std::string, std::string>& labels);
void check_label_selector(FieldErrors& errors, const FieldPath& path,
                          const LabelSelector& selector);

// Checks an enum that must be one of `supported`; errors show it as JSON.
void check_one_of(FieldErrors& errors, const FieldPath& path, std::string_view value,
                  std::initializer_list<std::string_view> supported);

[[nodiscard]] std::string join(const std::vector<std::string>& texts, std::string_view separator);
[[nodiscard]] std::string to_lower(std::string_view text);
// Whether the UTF-8 text starts or ends with Unicode white space.
[[nodiscard]] bool is_padded(std::string_view text);

}  // namespace berth::api
