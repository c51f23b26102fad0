// SPDX-License-Identifier: Apache-2.0

// The small fields of a pod's spec: DNS, gates, names.
#include "api/validation/validate_pod_parts.hpp"
#include "api/validation/validate_values.hpp"

namespace berth::api {

namespace {

constexpr std::size_t kMostNameservers = 3;
constexpr std::size_t kMostSearches = 32;
constexpr std::size_t kMostSearchBytes = 2048;
constexpr std::size_t kMostHostnameBytes = 64;
constexpr std::int64_t kMostDeadlineSeconds = 2147483647;

void check_nameservers(FieldErrors& errors, const FieldPath& path, const PodDNSConfig& config) {
  if (config.nameservers.size() > kMostNameservers) {
    errors.push_back(
        invalid(path, json_strings(config.nameservers), "must not have more than 3 nameservers"));
  }
  for (std::size_t i = 0; i < config.nameservers.size(); ++i) {
    check_text(errors, path / i, config.nameservers[i], grammar::ip_address);
  }
}

void check_searches(FieldErrors& errors, const FieldPath& path, const PodDNSConfig& config) {
  const std::vector<std::string>& searches = config.searches;
  if (searches.size() > kMostSearches) {
    errors.push_back(
        invalid(path, json_strings(searches), "must not have more than 32 search paths"));
  }
  if (join(searches, " ").size() > kMostSearchBytes) {
    errors.push_back(invalid(path, json_strings(searches),
                             "must not have more than 2048 characters (including spaces) in the "
                             "search list"));
  }
  for (std::size_t i = 0; i < searches.size(); ++i) {
    std::string_view domain = searches[i];
    if (domain == ".") continue;
    if (domain.ends_with('.')) domain.remove_suffix(1);
    check_text(errors, path / i, domain, grammar::dns1123_subdomain_with_underscore);
  }
}

}  // namespace

void check_dns_config(FieldErrors& errors, const FieldPath& path, const PodSpec& spec) {
  if (spec.dnsPolicy == "None") {
    if (!spec.dnsConfig) {
      errors.push_back(required(path, "must provide `dnsConfig` when `dnsPolicy` is None"));
      return;
    }
    if (spec.dnsConfig->nameservers.empty()) {
      errors.push_back(
          required(path / "nameservers",
                   "must provide at least one DNS nameserver when `dnsPolicy` is None"));
      return;
    }
  }
  if (!spec.dnsConfig) return;
  check_nameservers(errors, path / "nameservers", *spec.dnsConfig);
  check_searches(errors, path / "searches", *spec.dnsConfig);
  for (std::size_t i = 0; i < spec.dnsConfig->options.size(); ++i) {
    if (spec.dnsConfig->options[i].name.empty()) {
      errors.push_back(required(path / "options" / i, "must not be empty"));
    }
  }
}

void check_gates(FieldErrors& errors, const FieldPath& path, const PodSpec& spec) {
  for (std::size_t i = 0; i < spec.readinessGates.size(); ++i) {
    check_text(errors, path / "readinessGates" / i / "conditionType",
               spec.readinessGates[i].conditionType, grammar::qualified_name);
  }
  std::set<std::string> names;
  for (std::size_t i = 0; i < spec.schedulingGates.size(); ++i) {
    const std::string& name = spec.schedulingGates[i].name;
    const FieldPath at = path / "schedulingGates" / i;
    check_text(errors, at, name, grammar::qualified_name);
    if (!names.insert(name).second) errors.push_back(duplicate(at, quoted(name)));
  }
}

void check_hostname_override(FieldErrors& errors, const FieldPath& path, const PodSpec& spec) {
  if (!spec.hostnameOverride) return;
  if (spec.setHostnameAsFQDN.value_or(false)) {
    errors.push_back(forbidden(path, "may not be specified when setHostnameAsFQDN is true"));
  }
  if (spec.hostNetwork) {
    errors.push_back(forbidden(path, "may not be specified when hostNetwork is true"));
  }
  if (spec.hostnameOverride->size() > kMostHostnameBytes) {
    errors.push_back(too_long(path, kMostHostnameBytes));
  }
  check_text(errors, path, *spec.hostnameOverride, grammar::dns1123_subdomain);
}

void check_identity_fields(FieldErrors& errors, const FieldPath& path, const PodSpec& spec) {
  const auto named = [&](std::string_view name, const std::string& value, TextGrammar grammar) {
    if (!value.empty()) check_text(errors, path / name, value, grammar);
  };
  named("serviceAccountName", spec.serviceAccountName, grammar::dns1123_subdomain);
  named("nodeName", spec.nodeName, grammar::dns1123_subdomain);
  if (spec.activeDeadlineSeconds) {
    check_between(errors, path / "activeDeadlineSeconds", *spec.activeDeadlineSeconds, 1,
                  kMostDeadlineSeconds);
  }
  named("hostname", spec.hostname, grammar::dns1123_label);
  named("subdomain", spec.subdomain, grammar::dns1123_label);
}

void check_late_fields(FieldErrors& errors, const FieldPath& path, const PodSpec& spec) {
  for (std::size_t i = 0; i < spec.hostAliases.size(); ++i) {
    const HostAlias& alias = spec.hostAliases[i];
    const FieldPath at = path / "hostAliases" / i;
    check_text(errors, at / "ip", alias.ip, grammar::ip_address);
    for (std::size_t k = 0; k < alias.hostnames.size(); ++k) {
      check_text(errors, at / "hostnames" / k, alias.hostnames[k], grammar::dns1123_subdomain);
    }
  }
  if (!spec.priorityClassName.empty()) {
    check_text(errors, path / "priorityClassName", spec.priorityClassName,
               grammar::dns1123_subdomain);
  }
  if (spec.runtimeClassName) {
    check_text(errors, path / "runtimeClassName", *spec.runtimeClassName,
               grammar::dns1123_subdomain);
  }
  if (spec.preemptionPolicy) {
    if (spec.preemptionPolicy->empty()) {
      errors.push_back(required(path / "preemptionPolicy"));
    } else {
      check_one_of(errors, path / "preemptionPolicy", *spec.preemptionPolicy,
                   {"PreemptLowerPriority", "Never"});
    }
  }
  check_overhead(errors, path / "overhead", spec.overhead);
}

}  // namespace berth::api
