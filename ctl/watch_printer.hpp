// What a watch prints: what was there at the beginning as one aligned table, then a line a change.
// In the other formats each object by itself: JSON one a line, YAML as documents, names. Pure.
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
  // `widths`: what columns have at least. An empty header: none.
  WatchPrinter(Output output, Row header, std::vector<std::size_t> widths = {});

  // The text to print now.
  [[nodiscard]] Result<std::string> add(const WatchedObject& object);
  // What was there at the beginning has been added.
  [[nodiscard]] std::string synced();

 private:
  Output output_;
  std::vector<std::size_t> widths_;
  std::vector<Row> held_{};
  bool synced_ = false;
  bool begun_ = false;
};

}  // namespace berth::ctl
