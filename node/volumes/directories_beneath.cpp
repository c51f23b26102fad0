// SPDX-License-Identifier: Apache-2.0

#include "node/volumes/directories_beneath.hpp"

#include <fcntl.h>
#include <sys/stat.h>

#include <cerrno>
#include <sstream>
#include <utility>
#include <vector>

#include "base/open_beneath.hpp"

namespace berth::node {
namespace {

std::vector<std::string> parts_of(const std::string& path) {
  std::vector<std::string> parts;
  std::istringstream text(path);
  for (std::string part; std::getline(text, part, '/');) {
    if (!part.empty() && part != ".") parts.push_back(part);
  }
  return parts;
}

Descriptor directory_beneath(const Descriptor& top, const std::string& path) {
  return open_beneath(top, path, O_PATH | O_DIRECTORY, Links::kBeneath);
}

}  // namespace

bool make_directories_beneath(const Descriptor& top, const std::string& path, mode_t mode) {
  Descriptor above = directory_beneath(top, ".");
  std::string walked;
  for (const auto& part : parts_of(path)) {
    walked += (walked.empty() ? "" : "/") + part;
    Descriptor next = directory_beneath(top, walked);
    if (!next.is_open()) {
      if (errno != ENOENT || !above.is_open()) return false;
      if (::mkdirat(above.get(), part.c_str(), mode) != 0) return false;
      // Opens the directory just created, not what a container may have put there since.
      const Descriptor made(
          ::openat(above.get(), part.c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC));
      if (!made.is_open() || ::fchmod(made.get(), mode) != 0) return false;
      next = directory_beneath(top, walked);
    }
    above = std::move(next);
  }
  return above.is_open();
}

}  // namespace berth::node
