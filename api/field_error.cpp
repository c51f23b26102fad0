// SPDX-License-Identifier: Apache-2.0

#include "api/field_error.hpp"

#include <algorithm>

namespace berth::api {

namespace {

std::string_view words_of(FieldErrorType type) {
  switch (type) {
    case FieldErrorType::kInvalid:
      return "Invalid value";
    case FieldErrorType::kRequired:
      return "Required value";
    case FieldErrorType::kNotSupported:
      return "Unsupported value";
    case FieldErrorType::kForbidden:
      return "Forbidden";
    case FieldErrorType::kDuplicate:
      return "Duplicate value";
    case FieldErrorType::kNotFound:
      return "Not found";
    case FieldErrorType::kTooLong:
      return "Too long";
    case FieldErrorType::kTooMany:
      return "Too many";
    case FieldErrorType::kTooFew:
      return "Too few";
    case FieldErrorType::kTooShort:
      return "Too short";
    case FieldErrorType::kInternal:
      return "Internal error";
  }
  return "Internal error";
}

bool shows_value(FieldErrorType type) {
  switch (type) {
    case FieldErrorType::kRequired:
    case FieldErrorType::kForbidden:
    case FieldErrorType::kTooLong:
    case FieldErrorType::kTooShort:
    case FieldErrorType::kInternal:
      return false;
    default:
      return true;
  }
}

FieldError make(FieldErrorType type, const FieldPath& path, std::string value,
                std::string_view detail) {
  return FieldError{.type = type,
                    .path = path.to_string(),
                    .value = std::move(value),
                    .detail = std::string(detail)};
}

template <class List>
FieldError unsupported(const FieldPath& path, Shown value, const List& supported) {
  std::string detail;
  for (std::string_view one : supported) {
    detail += detail.empty() ? "supported values: " : ", ";
    detail += go_quote(one);
  }
  return make(FieldErrorType::kNotSupported, path, std::move(value.text), detail);
}

std::string join(const std::vector<std::string>& texts, std::string_view separator) {
  std::string joined;
  for (const std::string& text : texts) {
    if (&text != &texts.front()) joined += separator;
    joined += text;
  }
  return joined;
}

}  // namespace

std::string_view reason_of(FieldErrorType type) {
  switch (type) {
    case FieldErrorType::kInvalid:
      return "FieldValueInvalid";
    case FieldErrorType::kRequired:
      return "FieldValueRequired";
    case FieldErrorType::kNotSupported:
      return "FieldValueNotSupported";
    case FieldErrorType::kForbidden:
      return "FieldValueForbidden";
    case FieldErrorType::kDuplicate:
      return "FieldValueDuplicate";
    case FieldErrorType::kNotFound:
      return "FieldValueNotFound";
    case FieldErrorType::kTooLong:
      return "FieldValueTooLong";
    case FieldErrorType::kTooMany:
      return "FieldValueTooMany";
    case FieldErrorType::kTooFew:
      return "FieldValueTooFew";
    case FieldErrorType::kTooShort:
      return "FieldValueTooShort";
    case FieldErrorType::kInternal:
      return "InternalError";
  }
  return "InternalError";
}

std::string FieldError::message() const {
  std::string text(words_of(type));
  if (shows_value(type)) text.append(": ").append(value);
  if (!detail.empty()) text.append(": ").append(detail);
  return text;
}

std::string FieldError::to_string() const {
  return path + ": " + message();
}

Shown quoted(std::string_view text) {
  return Shown{go_quote(text)};
}
Shown number(std::int64_t value) {
  return Shown{std::to_string(value)};
}
Shown boolean(bool value) {
  return Shown{value ? "true" : "false"};
}
Shown json_string(std::string_view text) {
  return Shown{go_json_quote(text)};
}
Shown json_text(std::string text) {
  return Shown{std::move(text)};
}

Shown json_strings(const std::vector<std::string>& texts) {
  std::vector<std::string> parts;
  parts.reserve(texts.size());
  for (const std::string& text : texts) parts.push_back(go_json_quote(text));
  return Shown{"[" + join(parts, ",") + "]"};
}

FieldError invalid(const FieldPath& path, Shown value, std::string_view detail) {
  return make(FieldErrorType::kInvalid, path, std::move(value.text), detail);
}

FieldError required(const FieldPath& path, std::string_view detail) {
  return make(FieldErrorType::kRequired, path, {}, detail);
}

FieldError not_supported(const FieldPath& path, Shown value,
                         std::initializer_list<std::string_view> supported) {
  return unsupported(path, std::move(value), supported);
}

FieldError not_supported(const FieldPath& path, Shown value,
                         const std::vector<std::string_view>& supported) {
  return unsupported(path, std::move(value), supported);
}

FieldError forbidden(const FieldPath& path, std::string_view detail) {
  return make(FieldErrorType::kForbidden, path, {}, detail);
}

FieldError duplicate(const FieldPath& path, Shown value) {
  return make(FieldErrorType::kDuplicate, path, std::move(value.text), {});
}

FieldError not_found(const FieldPath& path, Shown value, std::string_view detail) {
  return make(FieldErrorType::kNotFound, path, std::move(value.text), detail);
}

FieldError too_long(const FieldPath& path, std::size_t most_bytes) {
  return make(FieldErrorType::kTooLong, path, {},
              "may not be more than " + std::to_string(most_bytes) +
                  (most_bytes == 1 ? " byte" : " bytes"));
}

FieldError too_many(const FieldPath& path, std::size_t count, std::size_t most) {
  return make(FieldErrorType::kTooMany, path, std::to_string(count),
              "must have at most " + std::to_string(most) + (most == 1 ? " item" : " items"));
}

std::string kubelet_list(const FieldErrors& errors) {
  std::vector<std::string> texts;
  texts.reserve(errors.size());
  for (const FieldError& error : errors) texts.push_back(error.to_string());
  return "[" + join(texts, " ") + "]";
}

std::string api_list(const FieldErrors& errors) {
  std::vector<std::string> texts;
  for (const FieldError& error : errors) {
    std::string text = error.to_string();
    if (std::find(texts.begin(), texts.end(), text) == texts.end()) {
      texts.push_back(std::move(text));
    }
  }
  return texts.size() == 1 ? texts.front() : "[" + join(texts, ", ") + "]";
}

}  // namespace berth::api
