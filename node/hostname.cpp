// SPDX-License-Identifier: Apache-2.0

#include "node/hostname.hpp"

#include <fmt/format.h>

#include "api/validation/validate_grammar.hpp"

namespace berth::node {
namespace {

constexpr std::size_t kLongestLabel = 63;
constexpr std::size_t kLongestHostname = 64;

std::string truncated(std::string name) {
  if (name.size() <= kLongestLabel) return name;
  name.resize(kLongestLabel);
  while (!name.empty() && (name.back() == '-' || name.back() == '.')) name.pop_back();
  return name;
}

Result<bool> check_label(const char* field, const std::string& value) {
  const auto problems = api::grammar::dns1123_label(value);
  if (problems.empty()) return true;
  return fail(ErrorCode::kInvalid, fmt::format("pod {} \"{}\" is not a valid DNS label: {}", field,
                                               value, fmt::join(problems, ";")));
}

}  // namespace

Result<PodHostname> pod_hostname(const api::Pod& pod, const std::string& cluster_domain) {
  const auto& spec = pod.spec;
  if (spec.hostnameOverride) return PodHostname{.host = truncated(*spec.hostnameOverride)};
  PodHostname name{.host = pod.metadata.name};
  if (!spec.hostname.empty()) {
    if (auto valid = check_label("hostname", spec.hostname); !valid) return fail(valid.error());
    name.host = spec.hostname;
  }
  name.host = truncated(std::move(name.host));
  if (!spec.subdomain.empty()) {
    if (auto valid = check_label("subdomain", spec.subdomain); !valid) return fail(valid.error());
    name.domain = spec.subdomain + "." + pod.metadata.namespace_ + ".svc." + cluster_domain;
  }
  return name;
}

Result<std::string> sandbox_hostname(const api::Pod& pod, const std::string& cluster_domain) {
  auto name = pod_hostname(pod, cluster_domain);
  if (!name) return fail(name.error());
  if (pod.spec.hostNetwork) return "";
  if (!pod.spec.setHostnameAsFQDN.value_or(false) || name->domain.empty()) return name->host;
  const std::string full = name->host + "." + name->domain;
  if (full.size() > kLongestHostname) {
    return fail(ErrorCode::kInvalid,
                fmt::format("failed to construct FQDN from pod hostname and cluster domain, FQDN "
                            "{} is too long ({} characters is the max, {} characters requested)",
                            full, kLongestHostname, full.size()));
  }
  return full;
}

}  // namespace berth::node
