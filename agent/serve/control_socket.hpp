// SPDX-License-Identifier: Apache-2.0

// The unix socket of the control API: its path, who may connect, who has connected.
//
// Any thread. Nothing here waits for another process, but a file system may block it. Errors name
// the path and what to do.
#pragma once

#include <sys/types.h>

#include <optional>
#include <string>

#include "base/descriptor.hpp"
#include "base/result.hpp"

namespace berth::agent {

// A socket file's identity in the kernel. While the socket is open no other file gets the same
// numbers, even if this one is deleted.
struct SocketFile {
  dev_t device = 0;
  ino_t inode = 0;
  bool operator==(const SocketFile&) const = default;
};

struct ListeningSocket {
  Descriptor socket{};
  SocketFile file{};
};

// Mode 0660, with that group (empty: `berth`, if it exists). A stale socket is replaced; a socket
// that a process answers on, and anything else in the way, is left alone.
[[nodiscard]] Result<ListeningSocket> listen_on_control_socket(const std::string& path,
                                                               const std::string& group);

// Why that is bound to fail, as far as it can be seen without trying; a process that answers on the
// socket is no reason here.
[[nodiscard]] std::optional<Error> control_socket_obstacle(const std::string& path,
                                                           const std::string& group);

// The file at the path now; `std::nullopt` if there is none.
[[nodiscard]] std::optional<SocketFile> file_at(const std::string& path);

// Deletes the file if it is still this one.
void remove_control_socket(const std::string& path, const SocketFile& file);

struct Caller {
  Descriptor socket{};
  uid_t user = 0;
};

// Fails if there are no descriptors left. `std::nullopt` if no caller waits any more.
[[nodiscard]] Result<std::optional<Caller>> accept_caller(int listening);

}  // namespace berth::agent
