// SPDX-License-Identifier: Apache-2.0

#include "agent/service/boot_note.hpp"

#include <filesystem>
#include <system_error>

#include "node/file_io.hpp"

namespace berth::agent {

bool note_boot(const std::string& file, const std::string& boot_id) {
  constexpr std::size_t kLongestId = 100;
  if (boot_id.empty()) return false;
  const std::string before = node::read_file_tail(file, kLongestId).value_or("");
  if (before == boot_id) return false;
  // Beside the file first: a full disk must not lose the id that it had.
  const std::string beside = file + ".new";
  std::error_code ignored;
  if (node::write_file(beside, boot_id, 0600)) std::filesystem::rename(beside, file, ignored);
  return !before.empty();
}

}  // namespace berth::agent
