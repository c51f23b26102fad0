// SPDX-License-Identifier: Apache-2.0

// Nodes: taints, amounts, address ranges; and which labels a node may set on itself.
#include <set>

#include "api/validation/validate.hpp"
#include "api/validation/validate_go_form.hpp"
#include "api/validation/validate_metadata.hpp"
#include "api/validation/validate_values.hpp"

namespace berth::api {

namespace {

void check_amounts(FieldErrors& errors, const FieldPath& path, const ResourceList& amounts) {
  for (const auto& [name, amount] : amounts) {
    if (amount.sign() < 0) {
      errors.push_back(invalid(path / name, json_string(amount.to_string()),
                               "must be greater than or equal to 0"));
    }
    const bool extended =
        name.find('/') != std::string::npos && name.find("kubernetes.io/") == std::string::npos;
    if ((extended || name == "pods") && Quantity::from_int(amount.value()) != amount) {
      errors.push_back(invalid(path / name, json_string(amount.to_string()), "must be an integer"));
    }
  }
}

void check_pod_cidrs(FieldErrors& errors, const FieldPath& path,
                     const std::vector<std::string>& cidrs) {
  int ipv6 = 0;
  for (std::size_t i = 0; i < cidrs.size(); ++i) {
    check_text(errors, path / i, cidrs[i], grammar::cidr);
    if (cidrs[i].find(':') != std::string::npos) ++ipv6;
  }
  const bool dual = cidrs.size() == 2 && ipv6 == 1;
  if (cidrs.size() > 1 && !dual) {
    errors.push_back(
        invalid(path, json_strings(cidrs), "may specify no more than one CIDR for each IP family"));
  }
}

// Whether it equals `domain` or is a subdomain of it.
bool is_within(std::string_view name, std::string_view domain) {
  if (name == domain) return true;
  return name.size() > domain.size() && name.ends_with(domain) &&
         name[name.size() - domain.size() - 1] == '.';
}

}  // namespace

void check_taints(FieldErrors& errors, const FieldPath& path, const std::vector<Taint>& taints) {
  std::set<std::pair<std::string, std::string>> seen;
  for (std::size_t i = 0; i < taints.size(); ++i) {
    const Taint& taint = taints[i];
    const FieldPath at = path / i;
    check_text(errors, at / "key", taint.key, grammar::qualified_name);
    const grammar::Details details = grammar::label_value(taint.value);
    if (!details.empty()) {
      errors.push_back(invalid(at / "value", quoted(taint.value), join(details, ";")));
    }
    if (taint.effect.empty()) {
      errors.push_back(required(at / "effect"));
    } else {
      check_one_of(errors, at / "effect", taint.effect,
                   {"NoSchedule", "PreferNoSchedule", "NoExecute"});
    }
    if (!seen.emplace(taint.key, taint.effect).second) {
      FieldError error = duplicate(at, json_text(go_form(taint)));
      error.detail = "taints must be unique by key and effect pair";
      errors.push_back(std::move(error));
    }
  }
}

FieldErrors validate_node(const Node& node) {
  FieldErrors errors;
  const FieldPath metadata("metadata");
  check_metadata(errors, metadata, node.metadata, Scope::kCluster, grammar::dns1123_subdomain);
  check_taints(errors, metadata / "taints", node.spec.taints);
  check_amounts(errors, FieldPath("status") / "capacity", node.status.capacity);
  check_amounts(errors, FieldPath("status") / "allocatable", node.status.allocatable);
  check_pod_cidrs(errors, FieldPath("spec") / "podCIDRs", node.spec.podCIDRs);
  return errors;
}

std::vector<std::string> labels_not_allowed_on_own_node(
    const std::map<std::string, std::string>& labels) {
  static const std::set<std::string, std::less<>> kAllowed = {
      "kubernetes.io/hostname",
      "kubernetes.io/os",
      "kubernetes.io/arch",
      "beta.kubernetes.io/os",
      "beta.kubernetes.io/arch",
      "beta.kubernetes.io/instance-type",
      "node.kubernetes.io/instance-type",
      "topology.kubernetes.io/zone",
      "topology.kubernetes.io/region",
      "failure-domain.beta.kubernetes.io/zone",
      "failure-domain.beta.kubernetes.io/region"};
  std::vector<std::string> refused;
  for (const auto& [key, value] : labels) {
    const std::size_t slash = key.find('/');
    if (slash == std::string::npos || kAllowed.contains(key)) continue;
    const std::string_view domain = std::string_view(key).substr(0, slash);
    const bool reserved = is_within(domain, "kubernetes.io") || is_within(domain, "k8s.io");
    const bool own =
        is_within(domain, "kubelet.kubernetes.io") || is_within(domain, "node.kubernetes.io");
    if (reserved && !own) refused.push_back(key);
  }
  return refused;
}

}  // namespace berth::api
