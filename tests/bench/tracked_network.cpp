// SPDX-License-Identifier: Apache-2.0

#include "tests/bench/tracked_network.hpp"

#include <arpa/inet.h>
#include <net/if.h>
#include <netinet/in.h>
#include <sched.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <system_error>

namespace berth::bench {
namespace {

constexpr const char* kFolder = "/proc/sys/net/netfilter/";
// Any rule on a connection's state makes the kernel track all connections.
constexpr const char* kRule =
    "iptables -w -A INPUT -m conntrack --ctstate INVALID -j ACCEPT > /dev/null 2>&1";

std::uint64_t number_in(const std::string& file) {
  std::ifstream in(kFolder + file);
  std::uint64_t number = 0;
  return in >> number ? number : 0;
}

std::string last_error() {
  return std::system_category().message(errno);
}

bool raise_loopback() {
  const int any = ::socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);
  ifreq request{};
  std::memcpy(static_cast<char*>(request.ifr_name), "lo", sizeof "lo");
  request.ifr_flags = IFF_UP | IFF_RUNNING;
  const bool up = ::ioctl(any, SIOCSIFFLAGS, &request) == 0;
  ::close(any);
  return up;
}

// Makes one connection of our own: does it get an entry?
bool is_tracking() {
  const int listener = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  const int client = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  auto* plain = reinterpret_cast<sockaddr*>(&address);
  socklen_t size = sizeof address;
  const bool counted = ::bind(listener, plain, size) == 0 && ::listen(listener, 1) == 0 &&
                       ::getsockname(listener, plain, &size) == 0 &&
                       ::connect(client, plain, size) == 0 && tracked_connections().entries > 0;
  ::close(client);
  ::close(listener);
  return counted;
}

}  // namespace

TrackedConnections tracked_connections() {
  return {.entries = number_in("nf_conntrack_count"), .limit = number_in("nf_conntrack_max")};
}

Result<void> enter_tracked_network() {
  if (::unshare(CLONE_NEWNET) != 0)
    return fail(ErrorCode::kUnavailable, "no network namespace (root?): " + last_error());
  if (!raise_loopback()) return fail(ErrorCode::kUnavailable, "no loopback: " + last_error());
  if (std::system(kRule) != 0)
    return fail(ErrorCode::kUnavailable,
                "iptables cannot add a rule with -m conntrack: is the package there, and the "
                "kernel's nf_conntrack?");
  if (!is_tracking())
    return fail(ErrorCode::kUnavailable, "the kernel tracks no connection in spite of the rule");
  return {};
}

}  // namespace berth::bench
