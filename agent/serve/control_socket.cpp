// SPDX-License-Identifier: Apache-2.0

#include "agent/serve/control_socket.hpp"

#include <grp.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>

namespace berth::agent {
namespace {

constexpr const char* kDefaultGroup = "berth";

using SocketCall = int (*)(int socket, const sockaddr* address, socklen_t size);

// connect(2) or bind(2) at the path.
int at_path(SocketCall call, int socket, const std::string& path) {
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  path.copy(address.sun_path, sizeof address.sun_path - 1);
  const void* raw = &address;
  return call(socket, static_cast<const sockaddr*>(raw), sizeof address);
}

// Whether a process listens on the socket, even with a full queue.
bool is_answered(const std::string& path) {
  const Descriptor caller(::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
  return caller.is_open() && (at_path(::connect, caller.get(), path) == 0 || errno == EAGAIN);
}

// Something other than a socket, which is left alone.
std::optional<Error> in_the_way(const std::string& path) {
  using std::filesystem::file_type;
  std::error_code bad;
  const auto type = std::filesystem::symlink_status(path, bad).type();
  if (type == file_type::not_found || type == file_type::none || type == file_type::socket)
    return std::nullopt;
  return Error{
      .code = ErrorCode::kInvalid,
      .message = path + " is in the way of the control socket; move it, or set controlSocket"};
}

std::optional<Error> unknown_group(const std::string& wanted) {
  if (wanted.empty() || getgrnam(wanted.c_str()) != nullptr) return std::nullopt;
  return Error{.code = ErrorCode::kInvalid,
               .message = "controlSocketGroup: there is no group \"" + wanted +
                          "\"; create it, or leave the field out"};
}

Result<bool> make_way(const std::string& path) {
  std::error_code bad;
  std::filesystem::create_directories(std::filesystem::path(path).parent_path(), bad);
  if (bad) {
    return fail(ErrorCode::kPermission, "the control socket's folder " +
                                            std::filesystem::path(path).parent_path().string() +
                                            ": " + bad.message());
  }
  if (auto other = in_the_way(path)) return fail(std::move(*other));
  if (is_answered(path)) {
    return fail(ErrorCode::kAlreadyExists,
                "another berthd answers on " + path + "; stop it, or set controlSocket");
  }
  std::filesystem::remove(path, bad);
  return true;
}

// An unknown explicit group is an error; the default one may be missing.
Result<bool> set_permissions(const std::string& path, const std::string& wanted_group) {
  if (auto unknown = unknown_group(wanted_group)) return fail(std::move(*unknown));
  const auto* group = getgrnam(wanted_group.empty() ? kDefaultGroup : wanted_group.c_str());
  const bool failed =
      (group != nullptr && ::chown(path.c_str(), static_cast<uid_t>(-1), group->gr_gid) != 0) ||
      ::chmod(path.c_str(), 0660) != 0;
  if (failed) return fail(ErrorCode::kPermission, path + ": " + std::strerror(errno));
  return true;
}

}  // namespace

Result<ListeningSocket> listen_on_control_socket(const std::string& path,
                                                 const std::string& group) {
  const auto way = make_way(path);
  if (!way) return fail(way.error());
  Descriptor socket(::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
  if (path.size() >= sizeof(sockaddr_un::sun_path)) errno = ENAMETOOLONG;
  // Only root may connect before group and mode are set. Linux gives the file the socket's mode;
  // the umask would affect the whole process.
  const bool bound = path.size() < sizeof(sockaddr_un::sun_path) && socket.is_open() &&
                     ::fchmod(socket.get(), 0600) == 0 && at_path(::bind, socket.get(), path) == 0;
  if (!bound || ::listen(socket.get(), SOMAXCONN) != 0) {
    return fail(ErrorCode::kUnavailable, "the control socket " + path + " cannot be listened on: " +
                                             std::strerror(errno) + "; set controlSocket");
  }
  const auto file = file_at(path);
  if (!file) return fail(ErrorCode::kUnavailable, "the control socket " + path + " is gone again");
  const auto permitted = set_permissions(path, group);
  if (!permitted) {
    remove_control_socket(path, *file);
    return fail(permitted.error());
  }
  return ListeningSocket{.socket = std::move(socket), .file = *file};
}

std::optional<Error> control_socket_obstacle(const std::string& path, const std::string& group) {
  if (auto other = in_the_way(path)) return other;
  return unknown_group(group);
}

std::optional<SocketFile> file_at(const std::string& path) {
  struct stat found {};
  if (::lstat(path.c_str(), &found) != 0) return std::nullopt;
  return SocketFile{.device = found.st_dev, .inode = found.st_ino};
}

void remove_control_socket(const std::string& path, const SocketFile& file) {
  if (file_at(path) == file) static_cast<void>(::unlink(path.c_str()));
}

Result<std::optional<Caller>> accept_caller(int listening) {
  for (;;) {
    Descriptor socket(::accept4(listening, nullptr, nullptr, SOCK_CLOEXEC | SOCK_NONBLOCK));
    if (!socket.is_open() && (errno == EINTR || errno == ECONNABORTED)) continue;
    if (!socket.is_open() && (errno == EAGAIN || errno == EWOULDBLOCK)) return std::nullopt;
    if (!socket.is_open()) return fail(ErrorCode::kUnavailable, std::strerror(errno));
    ucred caller{};
    socklen_t size = sizeof caller;
    if (::getsockopt(socket.get(), SOL_SOCKET, SO_PEERCRED, &caller, &size) != 0) continue;
    return Caller{.socket = std::move(socket), .user = caller.uid};
  }
}

}  // namespace berth::agent
