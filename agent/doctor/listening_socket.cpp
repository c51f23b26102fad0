// SPDX-License-Identifier: Apache-2.0

#include "agent/doctor/listening_socket.hpp"

#include <charconv>
#include <filesystem>
#include <iterator>
#include <set>
#include <sstream>
#include <vector>

#include "node/file_io.hpp"

namespace berth::agent {
namespace {

namespace fs = std::filesystem;

// "0100007F:2805" of /proc/net/tcp: address and port, in hexadecimal digits.
std::int32_t port_of(const std::string& local) {
  std::int32_t port = -1;
  const auto colon = local.rfind(':');
  if (colon != std::string::npos)
    std::from_chars(local.data() + colon + 1, local.data() + local.size(), port, 16);
  return port;
}

// "socket:[INODE]" of every socket that listens on the port.
std::set<std::string> listeners(const std::string& table, std::int32_t port) {
  std::set<std::string> sockets;
  std::istringstream lines(node::read_file(table).value_or(""));
  std::string line;
  std::getline(lines, line);  // the head
  while (std::getline(lines, line)) {
    // Number, local and remote address, state, queues, timer, retransmits, uid, timeout, inode.
    std::istringstream text(line);
    const std::vector<std::string> words{std::istream_iterator<std::string>(text), {}};
    constexpr const char* kListen = "0A";
    if (words.size() < 10 || words[3] != kListen || port_of(words[1]) != port) continue;
    sockets.insert("socket:[" + words[9] + "]");
  }
  return sockets;
}

bool holds_one_of(const fs::path& process, const std::set<std::string>& sockets) {
  std::error_code error;
  for (const auto& descriptor : fs::directory_iterator(process / "fd", error)) {
    std::error_code gone;
    if (sockets.contains(fs::read_symlink(descriptor.path(), gone).string())) return true;
  }
  return false;
}

}  // namespace

std::optional<ProcessFacts> who_listens(const std::string& proc, std::int32_t port) {
  auto sockets = listeners(proc + "/net/tcp", port);
  sockets.merge(listeners(proc + "/net/tcp6", port));
  if (sockets.empty()) return std::nullopt;
  std::error_code error;
  for (const auto& entry : fs::directory_iterator(proc, error)) {
    const std::string name = entry.path().filename().string();
    std::int64_t pid = 0;
    const auto [end, wrong] = std::from_chars(name.data(), name.data() + name.size(), pid);
    if (wrong != std::errc{} || end != name.data() + name.size()) continue;
    if (!holds_one_of(entry.path(), sockets)) continue;
    std::string comm = node::read_file(entry.path().string() + "/comm").value_or("");
    if (!comm.empty() && comm.back() == '\n') comm.pop_back();
    return ProcessFacts{.pid = pid, .name = comm};
  }
  return ProcessFacts{};
}

}  // namespace berth::agent
