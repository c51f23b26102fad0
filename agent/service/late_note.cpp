// SPDX-License-Identifier: Apache-2.0

#include "agent/service/late_note.hpp"

#include "node/file_io.hpp"

namespace berth::agent {

void write_late_note(const std::string& file, const std::string& late) {
  if (late.empty()) {
    static_cast<void>(node::remove_file(file));
  } else {
    static_cast<void>(node::write_file(file, late, 0600));
  }
}

std::string consume_late_note(const std::string& file) {
  constexpr std::size_t kLongestNote = 1000;
  std::string late = node::read_file_tail(file, kLongestNote).value_or("");
  static_cast<void>(node::remove_file(file));
  return late;
}

}  // namespace berth::agent
