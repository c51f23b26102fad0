// SPDX-License-Identifier: Apache-2.0

// The output of a watch: the initial objects as one aligned table, then a line per change. In the
// other formats each object by itself: JSON one per line, YAML as documents, names. Pure.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "base/result.hpp"
#include "ctl/table.hpp"
#include "ctl/words.hpp"

namespace berth::ctl {

struct WatchedObject {
  std::string json{};
  std::string name{};  // "pod/web"
  Row row{};
};

class WatchPrinter {
 public:
  // `widths`: minimum widths of columns. With an empty header there is no header line.
  WatchPrinter(Output output, Row header, std::vector<std::size_t> widths = {});

  // The text to print now.
  [[nodiscard]] Result<std::string> add(const WatchedObject& object);
  // All initial objects have been added.
  [[nodiscard]] std::string synced();

 private:
  Output output_;
  std::vector<std::size_t> widths_;
  std::vector<Row> held_{};
  bool synced_ = false;
  bool begun_ = false;
};

}  // namespace berth::ctl
