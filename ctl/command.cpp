// SPDX-License-Identifier: Apache-2.0

#include "ctl/command.hpp"

#include <cstdio>

#include "base/real_clock.hpp"
#include "base/text.hpp"
#include "ctl/table.hpp"

namespace berth::ctl {

std::string chosen_namespace(const Options& options) {
  return options.namespace_.empty() ? "default" : options.namespace_;
}

WallTime now() {
  return RealClock{}.wall_now();
}

void print(const std::string& text) {
  print_bytes(terminal_text(text));
}

void print_bytes(std::string_view bytes) {
  std::fwrite(bytes.data(), 1, bytes.size(), stdout);
  std::fflush(stdout);
}

void complain(const std::string& text) {
  std::fputs(terminal_text(text).c_str(), stderr);
}

void print_rows(const Options& options, const std::vector<std::string>& header,
                const std::vector<std::vector<std::string>>& rows) {
  std::vector<Row> table;
  if (!options.no_headers) table.push_back(header);
  table.insert(table.end(), rows.begin(), rows.end());
  print(format_table(table));
}

}  // namespace berth::ctl
