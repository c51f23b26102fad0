// SPDX-License-Identifier: Apache-2.0

#include "node/local_addresses.hpp"

#include <arpa/inet.h>
#include <ifaddrs.h>
#include <net/if.h>
#include <netinet/in.h>

#include <algorithm>
#include <cstring>
#include <memory>
#include <sstream>

#include "node/file_io.hpp"

namespace berth::node {
namespace {

struct Candidate {
  std::string address{};
  int rank = 0;  // less is better
};

// The interface of the IPv4 default route: destination and mask are all zeros.
std::string default_interface() {
  std::istringstream table(read_file("/proc/net/route").value_or(""));
  std::string line;
  std::getline(table, line);  // the header
  while (std::getline(table, line)) {
    std::istringstream fields(line);
    std::string name, destination, gateway, flags, references, use, metric, mask;
    fields >> name >> destination >> gateway >> flags >> references >> use >> metric >> mask;
    if (destination == "00000000" && mask == "00000000") return name;
  }
  return "";
}

// Empty for addresses that others cannot use.
std::string usable_v4(const sockaddr* address) {
  sockaddr_in in{};
  std::memcpy(&in, address, sizeof(in));
  const std::uint32_t host = ntohl(in.sin_addr.s_addr);
  const bool link_local = (host >> 16) == 0xA9FE;
  if ((host >> 24) == 127 || link_local || host == 0 || (host >> 28) == 0xE) return "";
  char text[INET_ADDRSTRLEN] = {};
  return ::inet_ntop(AF_INET, &in.sin_addr, text, sizeof(text)) != nullptr ? text : "";
}

std::string usable_v6(const sockaddr* address) {
  sockaddr_in6 in{};
  std::memcpy(&in, address, sizeof(in));
  const in6_addr& ip = in.sin6_addr;
  if (IN6_IS_ADDR_LOOPBACK(&ip) || IN6_IS_ADDR_LINKLOCAL(&ip) || IN6_IS_ADDR_MULTICAST(&ip) ||
      IN6_IS_ADDR_UNSPECIFIED(&ip)) {
    return "";
  }
  char text[INET6_ADDRSTRLEN] = {};
  return ::inet_ntop(AF_INET6, &ip, text, sizeof(text)) != nullptr ? text : "";
}

}  // namespace

std::vector<std::string> local_addresses() {
  ifaddrs* first = nullptr;
  if (::getifaddrs(&first) != 0) return {};
  const std::unique_ptr<ifaddrs, decltype(&::freeifaddrs)> owner(first, ::freeifaddrs);
  const std::string preferred = default_interface();
  std::vector<Candidate> candidates;
  for (const ifaddrs* entry = first; entry != nullptr; entry = entry->ifa_next) {
    if (entry->ifa_addr == nullptr || (entry->ifa_flags & IFF_UP) == 0) continue;
    const bool v4 = entry->ifa_addr->sa_family == AF_INET;
    if (!v4 && entry->ifa_addr->sa_family != AF_INET6) continue;
    auto address = v4 ? usable_v4(entry->ifa_addr) : usable_v6(entry->ifa_addr);
    if (address.empty()) continue;
    const int rank = (entry->ifa_name == preferred ? 0 : 2) + (v4 ? 0 : 1);
    candidates.push_back({.address = std::move(address), .rank = rank});
  }
  std::stable_sort(candidates.begin(), candidates.end(),
                   [](const Candidate& a, const Candidate& b) { return a.rank < b.rank; });
  std::vector<std::string> addresses;
  for (auto& candidate : candidates) addresses.push_back(std::move(candidate.address));
  return addresses;
}

}  // namespace berth::node
