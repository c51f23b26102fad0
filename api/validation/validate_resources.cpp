// SPDX-License-Identifier: Apache-2.0

// Requests, limits, claims and resize policies: resource names, amounts, and that no request
// exceeds its limit.
#include <algorithm>
#include <optional>

#include "api/pod_resources.hpp"
#include "api/validation/validate_go_form.hpp"
#include "api/validation/validate_pod_parts.hpp"
#include "api/validation/validate_values.hpp"

namespace berth::api {

namespace {

constexpr std::string_view kHugePages = "hugepages-";

bool is_hugepages(std::string_view name) {
  return name.starts_with(kHugePages);
}

// Not of the form domain/name, or in a Kubernetes domain.
bool is_native(std::string_view name) {
  return name.find('/') == name.npos || name.find("kubernetes.io/") != name.npos;
}

bool is_extended(std::string_view name) {
  if (is_native(name) || name.starts_with("requests.")) return false;
  return grammar::qualified_name("requests." + std::string(name)).empty();
}

bool can_be_overcommitted(std::string_view name) {
  return is_native(name) && !is_hugepages(name);
}

bool is_standard(std::string_view name) {
  constexpr std::string_view kCompute[] = {"cpu", "memory", "ephemeral-storage"};
  constexpr std::string_view kOthers[] = {"storage",
                                          "pods",
                                          "services",
                                          "services.nodeports",
                                          "services.loadbalancers",
                                          "replicationcontrollers",
                                          "resourcequotas",
                                          "secrets",
                                          "configmaps",
                                          "persistentvolumeclaims",
                                          "requests.storage"};
  std::string_view plain = name;
  for (const std::string_view side : {"requests.", "limits."}) {
    if (name.starts_with(side)) plain = name.substr(side.size());
  }
  return std::find(std::begin(kCompute), std::end(kCompute), plain) != std::end(kCompute) ||
         std::find(std::begin(kOthers), std::end(kOthers), name) != std::end(kOthers) ||
         is_hugepages(name) || name.starts_with("requests.hugepages-");
}

bool is_integer_resource(std::string_view name) {
  constexpr std::string_view kCounts[] = {"pods",
                                          "resourcequotas",
                                          "services",
                                          "replicationcontrollers",
                                          "secrets",
                                          "configmaps",
                                          "persistentvolumeclaims",
                                          "services.nodeports",
                                          "services.loadbalancers"};
  return is_extended(name) ||
         std::find(std::begin(kCounts), std::end(kCounts), name) != std::end(kCounts);
}

// Whether the name is a valid resource name; errors show it.
bool check_name(FieldErrors& errors, const FieldPath& path, const std::string& name) {
  const grammar::Details details = grammar::qualified_name(name);
  add_invalid(errors, path, json_string(name), details);
  if (!details.empty()) return false;
  if (name.find('/') == std::string::npos && !is_standard(name)) {
    errors.push_back(
        invalid(path, json_string(name), "must be a standard resource type or fully qualified"));
    return false;
  }
  return true;
}

void check_container_name(FieldErrors& errors, const FieldPath& path, const std::string& name) {
  check_name(errors, path, name);
  if (name.find('/') == std::string::npos) {
    const bool standard =
        name == "cpu" || name == "memory" || name == "ephemeral-storage" || is_hugepages(name);
    if (!standard) {
      errors.push_back(
          invalid(path, json_string(name), "must be a standard resource for containers"));
    }
  } else if (!is_native(name) && !is_extended(name)) {
    errors.push_back(
        invalid(path, json_string(name), "doesn't follow extended resource name standard"));
  }
}

void check_pod_level_name(FieldErrors& errors, const FieldPath& path, const std::string& name) {
  if (!check_name(errors, path, name)) return;
  if (name != "cpu" && name != "memory" && !is_hugepages(name)) {
    errors.push_back(not_supported(path, json_string(name), {"cpu", "hugepages-", "memory"}));
  }
}

bool is_whole(const Quantity& amount) {
  return Quantity::from_int(amount.value()) == amount;
}

void check_amount(FieldErrors& errors, const FieldPath& path, const std::string& name,
                  const Quantity& amount) {
  const Shown shown = json_string(amount.to_string());
  if (amount.sign() < 0) {
    errors.push_back(invalid(path, shown, "must be greater than or equal to 0"));
  }
  if (is_integer_resource(name) && !is_whole(amount)) {
    errors.push_back(invalid(path, shown, "must be an integer"));
  }
}

void check_pages(FieldErrors& errors, const FieldPath& path, const std::string& name,
                 const Quantity& amount) {
  if (!is_hugepages(name)) return;
  const Result<Quantity> size = Quantity::parse(name.substr(kHugePages.size()));
  const bool divides =
      size && size->sign() > 0 && is_whole(*size) && amount.value() % size->value() == 0;
  if (divides) return;
  errors.push_back(invalid(path, json_string(amount.to_string()),
                           amount.to_string() + " is not positive integer multiple of " + name));
}

// Checks a request against the limit of the same resource; paths include no key.
void check_against_limit(FieldErrors& errors, const FieldPath& path, const std::string& name,
                         const Quantity& request, const ResourceList& limits) {
  const auto limit = limits.find(name);
  const Shown shown = json_string(request.to_string());
  if (limit == limits.end()) {
    if (!can_be_overcommitted(name)) {
      errors.push_back(
          required(path / "limits", "Limit must be set for non overcommitable resources"));
    }
    return;
  }
  const std::string of = name + " limit of " + limit->second.to_string();
  if (can_be_overcommitted(name)) {
    if (request > limit->second) {
      errors.push_back(invalid(path / "requests", shown, "must be less than or equal to " + of));
    }
  } else if (request != limit->second) {
    errors.push_back(invalid(path / "requests", shown, "must be equal to " + of));
  }
}

// Pod-level values must cover the sum of the containers' requests.
void check_sums(FieldErrors& errors, const FieldPath& path, const ResourceRequirements& resources,
                const PodSpec& spec) {
  const auto below = [&](std::string_view side, const std::string& name, const Quantity& amount,
                         const ResourceList& sums) {
    const auto sum = sums.find(name);
    if (sum == sums.end() || amount >= sum->second) return;
    errors.push_back(invalid((path / side).key(name), json_string(amount.to_string()),
                             "must be greater than or equal to aggregate container " +
                                 std::string(side) + " of " + sum->second.to_string()));
  };
  const ResourceList requests = container_requests(spec);
  for (const auto& [name, amount] : resources.requests) below("requests", name, amount, requests);
  const ResourceList limits = container_limits(spec);
  for (const auto& [name, amount] : resources.limits) {
    if (is_hugepages(name)) below("limits", name, amount, limits);
  }
}

using CheckName = void (*)(FieldErrors&, const FieldPath&, const std::string&);

void check_lists(FieldErrors& errors, const FieldPath& path, const ResourceRequirements& resources,
                 CheckName check_name_of) {
  bool pages = false;
  bool cpu_or_memory = false;
  const auto entry = [&](const FieldPath& at, const std::string& name, const Quantity& amount) {
    check_name_of(errors, at, name);
    check_amount(errors, at, name, amount);
    pages = pages || is_hugepages(name);
    cpu_or_memory = cpu_or_memory || name == "cpu" || name == "memory";
  };
  for (const auto& [name, amount] : resources.limits) {
    const FieldPath at = (path / "limits").key(name);
    entry(at, name, amount);
    check_pages(errors, at, name, amount);
  }
  for (const auto& [name, amount] : resources.requests) {
    const FieldPath at = (path / "requests").key(name);
    entry(at, name, amount);
    check_against_limit(errors, path, name, amount, resources.limits);
    check_pages(errors, at, name, amount);
  }
  if (pages && !cpu_or_memory) {
    errors.push_back(forbidden(path, "HugePages require cpu or memory"));
  }
}

void check_claims(FieldErrors& errors, const FieldPath& path,
                  const std::vector<ResourceClaim>& claims, const std::set<std::string>& known) {
  std::set<std::string> seen;
  for (std::size_t i = 0; i < claims.size(); ++i) {
    const ResourceClaim& claim = claims[i];
    const FieldPath at = path / i;
    if (claim.name.empty()) {
      errors.push_back(required(at));
      continue;
    }
    if (seen.contains(claim.name)) {
      errors.push_back(duplicate(at, quoted(claim.name)));
    } else {
      std::string key = claim.name;
      if (!claim.request.empty()) {
        check_text(errors, at / "request", claim.request, grammar::dns1123_label);
        key += "/" + claim.request;
      }
      if (seen.contains(key)) {
        errors.push_back(duplicate(at, quoted(key)));
      } else if (claim.request.empty()) {
        for (const std::string& other : seen) {
          if (other.starts_with(claim.name + "/")) {
            errors.push_back(duplicate(at, quoted(claim.name)));
          }
        }
      }
      seen.insert(key);
    }
    if (known.contains(claim.name)) continue;
    const std::vector<std::string> names(known.begin(), known.end());
    errors.push_back(
        not_found(at, quoted(claim.name),
                  "must be one of the names in pod.spec.resourceClaims" +
                      (names.empty() ? std::string(" which is empty") : ": " + join(names, ", "))));
  }
}

}  // namespace

void check_container_resources(FieldErrors& errors, const FieldPath& path,
                               const ResourceRequirements& resources,
                               const std::set<std::string>& claim_names) {
  check_lists(errors, path, resources, check_container_name);
  check_claims(errors, path / "claims", resources.claims, claim_names);
}

void check_pod_resources(FieldErrors& errors, const FieldPath& path, const PodSpec& spec) {
  if (!spec.resources) return;
  const ResourceRequirements& resources = *spec.resources;
  if (spec.os && spec.os->name == "windows") {
    errors.push_back(forbidden(path, "may not be set for a windows pod"));
    return;
  }
  if (!resources.claims.empty()) {
    errors.push_back(
        forbidden(path / "claims", "claims may not be set for Resources at pod-level"));
  }
  check_lists(errors, path, resources, check_pod_level_name);
  check_sums(errors, path, resources, spec);
  for (std::size_t i = 0; i < spec.containers.size(); ++i) {
    for (const auto& [name, limit] : spec.containers[i].resources.limits) {
      const auto most = resources.limits.find(name);
      if (most == resources.limits.end() || limit <= most->second) continue;
      errors.push_back(
          invalid((path / "containers" / i).key(name) / "limits", json_string(limit.to_string()),
                  "must be less than or equal to pod limits of " + most->second.to_string()));
    }
  }
}

void check_overhead(FieldErrors& errors, const FieldPath& path, const ResourceList& overhead) {
  const ResourceRequirements as_limits{.limits = overhead};
  check_lists(errors, path, as_limits, check_container_name);
}

void check_resize_policies(FieldErrors& errors, const FieldPath& path,
                           const std::vector<ContainerResizePolicy>& policies,
                           std::string_view pod_restart_policy) {
  std::set<std::string> names;
  for (std::size_t i = 0; i < policies.size(); ++i) {
    const ContainerResizePolicy& policy = policies[i];
    if (!names.insert(policy.resourceName).second) {
      errors.push_back(duplicate(path / i, json_string(policy.resourceName)));
    }
    if (policy.resourceName.empty()) {
      errors.push_back(required(path));
    } else {
      check_one_of(errors, path, policy.resourceName, {"cpu", "memory"});
    }
    if (policy.restartPolicy.empty()) {
      errors.push_back(required(path));
    } else {
      check_one_of(errors, path, policy.restartPolicy, {"NotRequired", "RestartContainer"});
    }
    if (pod_restart_policy == "Never" && policy.restartPolicy != "NotRequired") {
      errors.push_back(invalid(path, json_string(policy.restartPolicy),
                               "must be 'NotRequired' when pod `restartPolicy` is 'Never'"));
    }
  }
}

std::set<std::string> check_resource_claims(FieldErrors& errors, const FieldPath& path,
                                            const std::vector<PodResourceClaim>& claims,
                                            bool is_mirror) {
  std::set<std::string> names;
  for (std::size_t i = 0; i < claims.size(); ++i) {
    const PodResourceClaim& claim = claims[i];
    const FieldPath at = path / i;
    if (is_mirror) {
      errors.push_back(forbidden(FieldPath(), "static pods do not support resource claims"));
      continue;
    }
    if (claim.name.empty()) {
      errors.push_back(required(at / "name"));
    } else if (!names.insert(claim.name).second) {
      errors.push_back(duplicate(at / "name", quoted(claim.name)));
    } else {
      check_text(errors, at / "name", claim.name, grammar::dns1123_label);
    }
    if (claim.resourceClaimName && claim.resourceClaimTemplateName) {
      errors.push_back(invalid(at, json_text(go_form(claim)),
                               "at most one of `resourceClaimName` or "
                               "`resourceClaimTemplateName` may be specified"));
    } else if (!claim.resourceClaimName && !claim.resourceClaimTemplateName) {
      errors.push_back(invalid(at, json_text(go_form(claim)),
                               "must specify one of: `resourceClaimName`, "
                               "`resourceClaimTemplateName`"));
    }
    if (claim.resourceClaimName) {
      check_text(errors, at / "resourceClaimName", *claim.resourceClaimName,
                 grammar::dns1123_subdomain);
    }
    if (claim.resourceClaimTemplateName) {
      check_text(errors, at / "resourceClaimTemplateName", *claim.resourceClaimTemplateName,
                 grammar::dns1123_subdomain);
    }
  }
  return names;
}

}  // namespace berth::api
