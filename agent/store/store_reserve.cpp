// SPDX-License-Identifier: Apache-2.0

#include "agent/store/store_reserve.hpp"

#include <fcntl.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include "base/descriptor.hpp"

namespace berth::agent {
namespace {

// Room for some two hundred commits of a pod's memory (6 to 8 KiB in four to six pages of the log),
// and for the log pages of dropping a tenth of the ledger.
constexpr off_t kReserveBytes = 2 << 20;
// Restored only when this much is free: never takes the last blocks, which others need.
constexpr unsigned long kPlenty = 8UL * kReserveBytes;

}  // namespace

StoreReserve::StoreReserve(std::string path) : path_(std::move(path)) {
  held_ = take();
  if (!held_) static_cast<void>(::unlink(path_.c_str()));
}

bool StoreReserve::take() {
  constexpr int kFlags = O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK;
  const Descriptor file(::open(path_.c_str(), kFlags, 0600));
  return file.is_open() && ::posix_fallocate(file.get(), 0, kReserveBytes) == 0;
}

void StoreReserve::release() {
  if (!held_) return;
  held_ = false;
  static_cast<void>(::unlink(path_.c_str()));
}

void StoreReserve::restore() {
  if (held_) return;
  const std::string folder = path_.substr(0, path_.find_last_of('/') + 1);
  struct statvfs disk {};
  if (::statvfs(folder.empty() ? "." : folder.c_str(), &disk) != 0) return;
  if (disk.f_bavail * disk.f_frsize < kPlenty) return;
  held_ = take();
  if (!held_) static_cast<void>(::unlink(path_.c_str()));
}

}  // namespace berth::agent
