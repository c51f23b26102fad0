// SPDX-License-Identifier: Apache-2.0

#include "lifecycle/status/pod_addresses.hpp"

#include <arpa/inet.h>

#include <array>
#include <optional>

namespace berth::lifecycle {
namespace {

struct Address {
  bool v6 = false;
  std::string text{};  // in canonical form
};

// IPv4 addresses in IPv6 notation (::ffff:10.0.0.1) count as IPv4.
std::optional<Address> parse(const std::string& text) {
  std::array<char, INET6_ADDRSTRLEN> shown{};
  in_addr v4{};
  if (inet_pton(AF_INET, text.c_str(), &v4) == 1) {
    if (inet_ntop(AF_INET, &v4, shown.data(), shown.size()) == nullptr) return std::nullopt;
    return Address{.v6 = false, .text = shown.data()};
  }
  in6_addr v6{};
  if (inet_pton(AF_INET6, text.c_str(), &v6) != 1) return std::nullopt;
  if (inet_ntop(AF_INET6, &v6, shown.data(), shown.size()) == nullptr) return std::nullopt;
  Address out{.v6 = true, .text = shown.data()};
  constexpr std::string_view kMapped = "::ffff:";
  if (out.text.starts_with(kMapped) && out.text.find('.') != std::string::npos) {
    out = Address{.v6 = false, .text = out.text.substr(kMapped.size())};
  }
  return out;
}

bool is_v6(const std::string& text) {
  const auto address = parse(text);
  return address && address->v6;
}

}  // namespace

void set_pod_ips(const std::vector<std::string>& runtime_ips, const NodeAddresses& node,
                 api::PodStatus& status) {
  const bool v6_first = !node.node_ips.empty() && is_v6(node.node_ips.front());
  std::optional<std::string> first;
  std::optional<std::string> second;
  for (const std::string& text : runtime_ips) {
    auto address = parse(text);
    if (!address) continue;
    auto& place = address->v6 == v6_first ? first : second;
    if (!place) place = std::move(address->text);
  }
  for (auto* ip : {&first, &second}) {
    if (*ip) status.podIPs.push_back(api::PodIP{.ip = **ip});
  }
  if (!status.podIPs.empty()) status.podIP = status.podIPs.front().ip;
}

void set_host_ips(const api::Pod& pod, const NodeAddresses& node, api::PodStatus& status) {
  if (node.host_ips.empty()) return;
  status.hostIP = node.host_ips.front();
  for (const std::string& ip : node.host_ips) status.hostIPs.push_back(api::HostIP{.ip = ip});
  if (!pod.spec.hostNetwork) return;

  if (status.podIP.empty()) {
    status.podIP = status.hostIP;
    status.podIPs = {api::PodIP{.ip = status.hostIP}};
  }
  // A node that became dual-stack adds its second family.
  if (node.host_ips.size() == 2 && status.podIPs.size() == 1 &&
      is_v6(status.podIPs.front().ip) != is_v6(node.host_ips[1])) {
    status.podIPs.push_back(api::PodIP{.ip = node.host_ips[1]});
  }
}

std::vector<std::string> pod_ips_in_status(const api::Pod& pod,
                                           const std::vector<std::string>& runtime_ips,
                                           const NodeAddresses& node) {
  api::PodStatus status;
  set_pod_ips(runtime_ips, node, status);
  set_host_ips(pod, node, status);
  std::vector<std::string> ips;
  for (const api::PodIP& address : status.podIPs) ips.push_back(address.ip);
  return ips;
}

}  // namespace berth::lifecycle
