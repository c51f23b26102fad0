// SPDX-License-Identifier: Apache-2.0

// One name below a folder, made from untrusted text: a pod's uid, a name from the runtime's labels,
// a file in a listing.
//
// Whatever the text is, the segment stays in its folder: it is never empty, "." or "..", has no
// slash, and fits into a file name (longer text is truncated). Plain names stay as they are; every
// other byte becomes %xx, so that two texts that fit get two names. Whether a text is acceptable is
// decided where it enters (api/pod_uid.hpp, validation); this type makes a mistake there harmless.
// Pure.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace berth::node {

inline constexpr std::size_t kLongestFileName = 255;  // bytes, in every Linux file system

class PathSegment {
 public:
  explicit PathSegment(std::string_view text);
  // The text with this ending: where both do not fit, the text is truncated.
  PathSegment(std::string_view text, std::string_view ending);

  [[nodiscard]] const std::string& str() const { return text_; }
  bool operator==(const PathSegment&) const = default;

 private:
  void fill(std::string_view text, std::string_view ending);
  void add(std::string_view text);

  std::string text_;
};

// The path of that segment in the folder.
[[nodiscard]] std::string operator/(std::string folder, const PathSegment& segment);

// Whether the text is a segment without changes.
[[nodiscard]] bool is_path_segment(std::string_view text);

}  // namespace berth::node
