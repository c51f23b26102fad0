// SPDX-License-Identifier: Apache-2.0

#include "ctl/watch_printer.hpp"

#include <algorithm>
#include <utility>

#include "ctl/object_text.hpp"

namespace berth::ctl {

WatchPrinter::WatchPrinter(Output output, Row header, std::vector<std::size_t> widths)
    : output_(output), widths_(std::move(widths)) {
  if (!header.empty()) held_.push_back(std::move(header));
}

Result<std::string> WatchPrinter::add(const WatchedObject& object) {
  switch (output_) {
    case Output::kJson:
      return object.json + "\n";
    case Output::kName:
      return object.name + "\n";
    case Output::kYaml: {
      auto text = object_text(object.json, Output::kYaml);
      if (text && std::exchange(begun_, true)) text->insert(0, "---\n");
      return text;
    }
    case Output::kTable:
    case Output::kWide:
      if (synced_) return format_row(object.row, widths_);
      held_.push_back(object.row);
      return "";
  }
  return "";
}

std::string WatchPrinter::synced() {
  synced_ = true;
  if (output_ != Output::kTable && output_ != Output::kWide) return "";
  const auto needed = column_widths(held_);
  widths_.resize(std::max(widths_.size(), needed.size()), 0);
  for (std::size_t i = 0; i < needed.size(); ++i) widths_[i] = std::max(widths_[i], needed[i]);
  std::string text;
  for (const Row& row : std::exchange(held_, {})) text += format_row(row, widths_);
  return text;
}

}  // namespace berth::ctl
