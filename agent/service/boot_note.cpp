// SPDX-License-Identifier: Apache-2.0

#include "agent/service/boot_note.hpp"

#include "node/file_io.hpp"

namespace berth::agent {

bool note_boot(const std::string& file, const std::string& boot_id) {
  constexpr std::size_t kLongestId = 100;
  if (boot_id.empty()) return false;
  const std::string before = node::read_file_tail(file, kLongestId).value_or("");
  if (before == boot_id) return false;
  // What could not be noted is noticed again by the next berthd.
  static_cast<void>(node::replace_file(file, boot_id, 0600));
  return !before.empty();
}

}  // namespace berth::agent
