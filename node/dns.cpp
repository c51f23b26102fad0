// SPDX-License-Identifier: Apache-2.0

#include "node/dns.hpp"

#include <algorithm>
#include <sstream>

#include <fmt/format.h>

namespace berth::node {
namespace {

constexpr std::size_t kMaxServers = 3;
constexpr std::size_t kMaxSearches = 32;
constexpr std::size_t kMaxSearchBytes = 253;
constexpr std::size_t kMaxSearchLine = 2048;

using Words = std::vector<std::string>;

void add_new(Words& list, const std::string& word) {
  if (std::find(list.begin(), list.end(), word) == list.end()) list.push_back(word);
}

// Merges by name: the last value wins, at the first one's position.
void merge_option(Words& options, const std::string& option) {
  const auto name = option.substr(0, option.find(':'));
  const auto same = std::find_if(options.begin(), options.end(), [&](const std::string& known) {
    return known.substr(0, known.find(':')) == name;
  });
  if (same == options.end()) {
    options.push_back(option);
  } else {
    *same = option;
  }
}

bool wants_cluster_dns(const api::Pod& pod) {
  const auto& policy = pod.spec.dnsPolicy;
  if (policy == "ClusterFirstWithHostNet") return true;
  if (policy == "Default" || policy == "None") return false;
  return !pod.spec.hostNetwork;  // ClusterFirst, and any unknown policy
}

cri::DnsConfig cluster_config(const NodeView& node, const api::Pod& pod,
                              const cri::DnsConfig& host) {
  cri::DnsConfig config{.servers = node.config.cluster_dns, .options = {"ndots:5"}};
  const std::string& domain = node.config.cluster_domain;
  if (!domain.empty()) {
    add_new(config.searches, pod.metadata.namespace_ + ".svc." + domain);
    add_new(config.searches, "svc." + domain);
    add_new(config.searches, domain);
  }
  for (const auto& search : host.searches) add_new(config.searches, search);
  return config;
}

cri::DnsConfig host_config(const NodeView& node, const cri::DnsConfig& host) {
  if (!node.config.paths.resolv_conf.empty()) return host;
  // If no resolv.conf is configured, a pod uses the node itself as its nameserver.
  cri::DnsConfig config{.searches = {"."}};
  for (const auto& ip : node.host_ips) {
    add_new(config.servers, ip.find(':') == std::string::npos ? "127.0.0.1" : "::1");
  }
  if (config.servers.empty()) config.servers.emplace_back("127.0.0.1");
  return config;
}

// A line break would start a new line in resolv.conf.
bool has_control_character(const std::string& text) {
  return std::ranges::any_of(text, [](unsigned char c) { return c < ' ' || c == 0x7f; });
}

void apply_pod_config(PodDns& dns, const api::PodDNSConfig& own) {
  cri::DnsConfig& config = dns.config;
  for (const auto& server : own.nameservers) add_new(config.servers, server);
  for (const auto& search : own.searches) add_new(config.searches, search);
  for (const auto& option : own.options) {
    const std::string text =
        option.value && !option.value->empty() ? option.name + ":" + *option.value : option.name;
    if (has_control_character(text)) {
      dns.warnings.push_back(
          fmt::format("A dnsConfig option has a control character and has been omitted: {}", text));
      continue;
    }
    merge_option(config.options, text);
  }
}

bool cut_searches(Words& searches) {
  const std::size_t before = searches.size();
  std::erase_if(searches, [](const std::string& path) { return path.size() > kMaxSearchBytes; });
  if (searches.size() > kMaxSearches) searches.resize(kMaxSearches);
  std::size_t line = 0;
  std::size_t kept = 0;
  for (const auto& path : searches) {
    line += path.size() + (kept == 0 ? 0 : 1);
    if (line > kMaxSearchLine) break;
    ++kept;
  }
  searches.resize(kept);
  return searches.size() != before;
}

void apply_limits(PodDns& dns) {
  if (dns.config.servers.size() > kMaxServers) {
    dns.config.servers.resize(kMaxServers);
    dns.warnings.push_back(
        fmt::format("Nameserver limits were exceeded, some nameservers have been omitted, the "
                    "applied nameserver line is: {}",
                    fmt::join(dns.config.servers, " ")));
  }
  if (cut_searches(dns.config.searches)) {
    dns.warnings.push_back(
        fmt::format("Search Line limits were exceeded, some search paths have been omitted, the "
                    "applied search line is: {}",
                    fmt::join(dns.config.searches, " ")));
  }
}

std::string without_final_dot(std::string name) {
  if (name.size() > 1 && name.back() == '.') name.pop_back();
  return name;
}

}  // namespace

cri::DnsConfig parse_resolv_conf(std::string_view text) {
  cri::DnsConfig config;
  std::istringstream lines{std::string(text)};
  std::string line;
  while (std::getline(lines, line)) {
    if (!line.empty() && line.front() == '#') continue;
    std::istringstream fields(line);
    std::string keyword;
    if (!(fields >> keyword)) continue;
    Words words;
    for (std::string word; fields >> word;) words.push_back(word);
    if (keyword == "nameserver" && !words.empty()) {
      config.servers.push_back(words.front());
    } else if (keyword == "search") {
      config.searches.clear();  // the last line counts
      for (const auto& word : words) {
        if (word != ".") config.searches.push_back(without_final_dot(word));
      }
    } else if (keyword == "options") {
      for (const auto& word : words) merge_option(config.options, word);
    }
  }
  return config;
}

PodDns pod_dns(const NodeView& node, const api::Pod& pod, const cri::DnsConfig& host) {
  PodDns dns;
  if (pod.spec.dnsPolicy == "None") {
    // Only the pod's own settings.
  } else if (!wants_cluster_dns(pod)) {
    dns.config = host_config(node, host);
  } else if (!node.config.cluster_dns.empty()) {
    dns.config = cluster_config(node, pod, host);
  } else {
    // The kubelet names this policy, whichever the pod has.
    dns.missing_cluster_dns =
        "kubelet does not have ClusterDNS IP configured and cannot create Pod using "
        "\"ClusterFirst\" policy. Falling back to \"Default\" policy.";
    dns.config = host_config(node, host);
  }
  if (pod.spec.dnsConfig) apply_pod_config(dns, *pod.spec.dnsConfig);
  apply_limits(dns);
  return dns;
}

}  // namespace berth::node
