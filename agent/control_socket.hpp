// The unix socket of the control API: where it is, who may connect, who has connected.
//
// Any thread. Nothing here waits for another process, but a file system may hold it up. Errors name
// the path and what to do.
#pragma once

#include <sys/types.h>

#include <optional>
#include <string>

#include "base/descriptor.hpp"
#include "base/result.hpp"

namespace berth::agent {

// A socket's file, by the numbers that the kernel knows it by. While the socket is open no other
// file gets them, even after this one was deleted.
struct SocketFile {
  dev_t device = 0;
  ino_t inode = 0;
  bool operator==(const SocketFile&) const = default;
};

struct ListeningSocket {
  Descriptor socket{};
  SocketFile file{};
};

// Mode 0660, of that group (empty: `berth`, if there is one). A stale socket is replaced; one that
// somebody answers on, and anything else in the way, is left alone.
[[nodiscard]] Result<ListeningSocket> listen_on_control_socket(const std::string& path,
                                                               const std::string& group);

// What the path leads to now; none: nothing is there.
[[nodiscard]] std::optional<SocketFile> file_at(const std::string& path);

// Deletes the file if it is this one.
void remove_control_socket(const std::string& path, const SocketFile& file);

struct Caller {
  Descriptor socket{};
  uid_t user = 0;
};

// Fails if there are no descriptors left. None: nobody waits any more.
[[nodiscard]] Result<std::optional<Caller>> accept_caller(int listening);

}  // namespace berth::agent
