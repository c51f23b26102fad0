// SPDX-License-Identifier: Apache-2.0

#include "agent/sources/mount_watch.hpp"

#include <fcntl.h>

#include <utility>

#include <boost/asio/use_awaitable.hpp>

#include "base/descriptor.hpp"

namespace berth::agent {

MountWatch::MountWatch(boost::asio::any_io_executor executor, int file)
    : mounts_(std::move(executor), file) {}

std::unique_ptr<MountWatch> MountWatch::open(boost::asio::any_io_executor executor) {
  Descriptor file(::open("/proc/self/mountinfo", O_RDONLY | O_CLOEXEC));
  if (!file.is_open()) return nullptr;
  return std::unique_ptr<MountWatch>(new MountWatch(std::move(executor), file.release()));
}

// proc(5): a change is reported as an exceptional condition, once.
boost::asio::awaitable<void> MountWatch::changed() {
  co_await mounts_.async_wait(boost::asio::posix::stream_descriptor::wait_error,
                              boost::asio::use_awaitable);
}

}  // namespace berth::agent
