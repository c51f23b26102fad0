// SPDX-License-Identifier: Apache-2.0

// A problem with one field of an object, in Kubernetes' own form:
//
//   <path>: <Type>[: <value>][: <detail>]
//   spec.containers[0].ports[0].containerPort: Invalid value: 0: must be between 1 and 65535, ...
//
// A rule provides the path, the kind of mistake, the offending value in the form to be shown, and
// what was expected. All problems of an object are collected in a FieldErrors list, in the order in
// which Kubernetes reports them. Values only; no I/O.
#pragma once

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "api/field_path.hpp"

namespace berth::api {

enum class FieldErrorType : std::uint8_t {
  kInvalid,
  kRequired,
  kNotSupported,
  kForbidden,
  kDuplicate,
  kNotFound,
  kTooLong,
  kTooMany,
  kTooFew,
  kTooShort,
  kInternal,
};

// The API's name for the type: "FieldValueInvalid", ...; the content of `causes[].reason`.
[[nodiscard]] std::string_view reason_of(FieldErrorType type);

struct FieldError {
  FieldErrorType type = FieldErrorType::kInvalid;
  std::string path{};
  std::string value{};  // as printed; empty if the type prints no value
  std::string detail{};

  // The error without its path: "Invalid value: 0: must be ...".
  [[nodiscard]] std::string message() const;
  [[nodiscard]] std::string to_string() const;

  bool operator==(const FieldError&) const = default;
};

using FieldErrors = std::vector<FieldError>;

// A value in the form in which an error shows it.
struct Shown {
  std::string text{};
};
[[nodiscard]] Shown quoted(std::string_view text);  // a plain string: Go-quoted
[[nodiscard]] Shown number(std::int64_t value);     // an integer: bare
[[nodiscard]] Shown boolean(bool value);            // a boolean: bare
// A string-typed enum, a quantity, a pointer to a string: a JSON string as Go's encoder writes it.
[[nodiscard]] Shown json_string(std::string_view text);
[[nodiscard]] Shown json_strings(const std::vector<std::string>& texts);
[[nodiscard]] Shown json_text(std::string text);  // preformatted JSON

// Go's %q for a string, and a JSON string with <, > and & escaped as Go escapes them.
[[nodiscard]] std::string go_quote(std::string_view text);
[[nodiscard]] std::string go_json_quote(std::string_view text);

[[nodiscard]] FieldError invalid(const FieldPath& path, Shown value, std::string_view detail);
[[nodiscard]] FieldError required(const FieldPath& path, std::string_view detail = {});
[[nodiscard]] FieldError not_supported(const FieldPath& path, Shown value,
                                       std::initializer_list<std::string_view> supported);
[[nodiscard]] FieldError not_supported(const FieldPath& path, Shown value,
                                       const std::vector<std::string_view>& supported);
[[nodiscard]] FieldError forbidden(const FieldPath& path, std::string_view detail);
[[nodiscard]] FieldError duplicate(const FieldPath& path, Shown value);
[[nodiscard]] FieldError not_found(const FieldPath& path, Shown value,
                                   std::string_view detail = {});
[[nodiscard]] FieldError too_long(const FieldPath& path, std::size_t most_bytes);
[[nodiscard]] FieldError too_many(const FieldPath& path, std::size_t count, std::size_t most);

// "[E1 E2]": the form in which a kubelet lists a manifest's problems, in brackets even if there is
// only one.
[[nodiscard]] std::string kubelet_list(const FieldErrors& errors);
// "E1" or "[E1, E2]", without duplicates: the form in which the API server lists them.
[[nodiscard]] std::string api_list(const FieldErrors& errors);

}  // namespace berth::api
