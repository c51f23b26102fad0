// SPDX-License-Identifier: Apache-2.0

// The layout of `describe`: indented lines `Key:  value`, the values of one block aligned. Pure.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "ctl/table.hpp"

namespace berth::ctl {

class DescribeText {
 public:
  // One `Key: value` line; the block's values are aligned when the block ends.
  void field(std::string_view key, std::string_view value);
  // A list below a key: the first item on the key's line, the others under it; `<none>` if empty.
  void list(std::string_view key, const std::vector<std::string>& values);
  // A value of several lines: the later ones under the first.
  void list_lines(std::string_view key, std::string_view text);
  // A key alone (`Containers:`), or with a remark; everything up to `leave` is indented by two.
  void enter(std::string_view key, std::string_view remark = {});
  void leave();
  // A line as it is, below the current indentation.
  void line(std::string_view text);
  // Lines of aligned columns.
  void rows(const std::vector<Row>& rows);

  [[nodiscard]] std::string text();

 private:
  struct Line {
    std::string key{};
    std::string value{};
  };

  void flush();

  std::string text_;
  std::vector<Line> block_;
  std::size_t indent_ = 0;
};

}  // namespace berth::ctl
