// The escape \' in double-quoted YAML, which Kubernetes reads as ' and libyaml refuses.
//
// Where a double-quoted scalar begins only libyaml knows. So each backslash that can be meant is
// handed to it as a character of the private use area that the text does not have, which it reads
// like any other and as wide as the backslash; of what it has read, that character goes from
// double-quoted scalars and is a backslash again everywhere else. Pure.
#pragma once

#include <string>
#include <string_view>

namespace berth::api {

class YamlEscapes {
 public:
  // Keeps a view of `text` where nothing has to be done, which is nearly always.
  explicit YamlEscapes(std::string_view text);

  // What libyaml is to read.
  [[nodiscard]] std::string_view text() const { return marker_.empty() ? original_ : marked_; }
  // What was written, of what libyaml read.
  [[nodiscard]] std::string scalar(std::string_view read, bool double_quoted) const;
  // `bytes` of text(), as bytes of the original.
  [[nodiscard]] std::size_t original_size(std::string_view bytes) const;

 private:
  std::string_view original_;
  std::string marked_{};
  std::string marker_{};  // empty: nothing had to be done
};

}  // namespace berth::api
