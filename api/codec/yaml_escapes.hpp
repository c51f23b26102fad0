// SPDX-License-Identifier: Apache-2.0

// The escape \' in double-quoted YAML, which Kubernetes reads as ' and libyaml rejects.
//
// Only libyaml knows where a double-quoted scalar begins. So each backslash that may start this
// escape is replaced by a private-use character that the text does not contain; libyaml reads it
// like any other character, and it is as wide as the backslash. In libyaml's output the character
// is removed from double-quoted scalars and restored to a backslash everywhere else. Pure.
#pragma once

#include <string>
#include <string_view>

namespace berth::api {

class YamlEscapes {
 public:
  // Keeps a view of `text` if nothing needs replacing, which is nearly always.
  explicit YamlEscapes(std::string_view text);

  // The text for libyaml.
  [[nodiscard]] std::string_view text() const { return marker_.empty() ? original_ : marked_; }
  // Restores a scalar that libyaml read.
  [[nodiscard]] std::string scalar(std::string_view read, bool double_quoted) const;
  // Converts a size in text() to one in the original.
  [[nodiscard]] std::size_t original_size(std::string_view bytes) const;

 private:
  std::string_view original_;
  std::string marked_{};
  std::string marker_{};  // empty if nothing was replaced
};

}  // namespace berth::api
