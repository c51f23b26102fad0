// SPDX-License-Identifier: Apache-2.0

// Reports mounts and unmounts on this machine, by /proc/self/mountinfo.
//
// Containers starting cause many of them, so a waiter first checks whether it is affected. Loop
// thread only.
#pragma once

#include <memory>

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/awaitable.hpp>
#include <boost/asio/posix/stream_descriptor.hpp>

namespace berth::agent {

class MountWatch {
 public:
  // Null if /proc does not show mounts.
  static std::unique_ptr<MountWatch> open(boost::asio::any_io_executor executor);
  MountWatch(const MountWatch&) = delete;
  MountWatch& operator=(const MountWatch&) = delete;

  // Completes when something was mounted or unmounted since the watch was opened or this last
  // completed; several count as one. Cancelled, it throws system_error(operation_aborted).
  [[nodiscard]] boost::asio::awaitable<void> changed();

 private:
  MountWatch(boost::asio::any_io_executor executor, int file);

  boost::asio::posix::stream_descriptor mounts_;
};

}  // namespace berth::agent
