// SPDX-License-Identifier: Apache-2.0

#include "agent/doctor/listening_socket.hpp"

#include <charconv>
#include <filesystem>
#include <iterator>
#include <sstream>
#include <utility>
#include <vector>

#include "base/text.hpp"
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

// The ports of sockets that listen, by what their descriptors are links to: "socket:[INODE]".
using Sockets = std::map<std::string, std::int32_t>;

void read_listeners(const std::string& table, const std::set<std::int32_t>& ports,
                    Sockets& sockets) {
  std::istringstream lines(node::read_file(table).value_or(""));
  std::string line;
  std::getline(lines, line);  // the head
  while (std::getline(lines, line)) {
    // Number, local and remote address, state, queues, timer, retransmits, uid, timeout, inode.
    std::istringstream text(line);
    const std::vector<std::string> words{std::istream_iterator<std::string>(text), {}};
    constexpr const char* kListen = "0A";
    if (words.size() < 10 || words[3] != kListen) continue;
    const std::int32_t port = port_of(words[1]);
    if (ports.contains(port)) sockets.emplace("socket:[" + words[9] + "]", port);
  }
}

std::set<std::int32_t> ports_of(const fs::path& process, const Sockets& sockets) {
  std::set<std::int32_t> ports;
  std::error_code error;
  for (const auto& descriptor : fs::directory_iterator(process / "fd", error)) {
    std::error_code gone;
    const auto socket = sockets.find(fs::read_symlink(descriptor.path(), gone).string());
    if (socket != sockets.end()) ports.insert(socket->second);
  }
  return ports;
}

}  // namespace

std::map<std::int32_t, ProcessFacts> who_listens(const std::string& proc,
                                                 const std::set<std::int32_t>& ports) {
  Sockets sockets;
  for (const char* table : {"/net/tcp", "/net/tcp6"}) read_listeners(proc + table, ports, sockets);
  std::map<std::int32_t, ProcessFacts> listeners;
  for (const auto& [socket, port] : sockets) listeners[port] = {};
  if (sockets.empty()) return listeners;
  std::error_code error;
  for (const auto& entry : fs::directory_iterator(proc, error)) {
    const std::string name = entry.path().filename().string();
    std::int64_t pid = 0;
    const auto [end, wrong] = std::from_chars(name.data(), name.data() + name.size(), pid);
    if (wrong != std::errc{} || end != name.data() + name.size()) continue;
    for (const std::int32_t port : ports_of(entry.path(), sockets)) {
      std::string comm = node::read_file(entry.path().string() + "/comm").value_or("");
      if (!comm.empty() && comm.back() == '\n') comm.pop_back();
      if (listeners[port].pid == 0)
        listeners[port] = {.pid = pid, .name = valid_text(std::move(comm))};
    }
  }
  return listeners;
}

}  // namespace berth::agent
