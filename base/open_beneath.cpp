// SPDX-License-Identifier: Apache-2.0

#include "base/open_beneath.hpp"

#include <fcntl.h>
#include <linux/openat2.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>

namespace berth {
namespace {

// Retries if a rename races with the lookup, which the kernel reports as EAGAIN.
constexpr int kLookAgain = 16;

}  // namespace

Descriptor open_beneath(const Descriptor& top, const std::string& path, std::uint64_t flags,
                        Links links) {
  if (path.contains('\0')) {  // the kernel would only see the part before it
    errno = EINVAL;
    return {};
  }
  struct open_how how {};
  how.flags = flags | O_CLOEXEC;
  how.resolve = RESOLVE_BENEATH | RESOLVE_NO_MAGICLINKS;
  if (links == Links::kNone) how.resolve |= RESOLVE_NO_SYMLINKS;
  for (int attempt = 0; attempt < kLookAgain; ++attempt) {
    const long fd = ::syscall(SYS_openat2, top.get(), path.c_str(), &how, sizeof(how));
    if (fd >= 0) return Descriptor(static_cast<int>(fd));
    if (errno != EAGAIN && errno != EINTR) break;
  }
  return {};
}

}  // namespace berth
