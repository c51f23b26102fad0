// SPDX-License-Identifier: Apache-2.0

// The path of a field, as Kubernetes writes it: names joined by dots, list indices and map keys in
// brackets: "spec.containers[0].env[1].name", "spec.containers[0].resources.requests[cpu]".
//
// A value; every step returns a new path. The path of a whole object without a name prints as "[]".
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace berth::api {

class FieldPath {
 public:
  FieldPath() = default;
  explicit FieldPath(std::string_view name) : text_(name) {}

  [[nodiscard]] FieldPath child(std::string_view name) const {
    if (text_.empty()) return FieldPath(name);
    std::string text;
    text.reserve(text_.size() + 1 + name.size());
    text.append(text_).append(1, '.').append(name);
    return FieldPath(text);
  }

  [[nodiscard]] FieldPath index(std::size_t position) const {
    return key(std::to_string(position));
  }

  [[nodiscard]] FieldPath key(std::string_view name) const {
    std::string text;
    text.reserve(text_.size() + 2 + name.size());
    text.append(text_).append(1, '[').append(name).append(1, ']');
    return FieldPath(text);
  }

  [[nodiscard]] std::string to_string() const { return text_.empty() ? "[]" : text_; }

  bool operator==(const FieldPath&) const = default;

 private:
  std::string text_;
};

// Shorthand, so that rules read like the paths they check: path / "containers" / 0 / "name".
[[nodiscard]] inline FieldPath operator/(const FieldPath& path, std::string_view name) {
  return path.child(name);
}
[[nodiscard]] inline FieldPath operator/(const FieldPath& path, std::size_t position) {
  return path.index(position);
}

}  // namespace berth::api
