// SPDX-License-Identifier: Apache-2.0

#include <algorithm>
#include <array>
#include <cctype>
#include <string_view>

#include <fmt/format.h>

#include "api/validation/validate_grammar.hpp"
#include "node/node_object.hpp"

namespace berth::node {
namespace {

// Keys in Kubernetes' own domains that a node may set on itself.
constexpr std::array<std::string_view, 11> kOwnKeys = {
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
    "failure-domain.beta.kubernetes.io/region",
};

bool in_domain(std::string_view name, std::string_view domain) {
  if (name == domain) return true;
  return name.size() > domain.size() && name.ends_with(domain) &&
         name[name.size() - domain.size() - 1] == '.';
}

bool is_own_key(std::string_view key) {
  const auto slash = key.find('/');
  if (slash == std::string_view::npos) return true;
  const auto prefix = key.substr(0, slash);
  if (!in_domain(prefix, "kubernetes.io") && !in_domain(prefix, "k8s.io")) return true;
  if (std::find(kOwnKeys.begin(), kOwnKeys.end(), key) != kOwnKeys.end()) return true;
  return in_domain(prefix, "kubelet.kubernetes.io") || in_domain(prefix, "node.kubernetes.io");
}

void check_label(std::vector<std::string>& problems, const std::string& key,
                 const std::string& value) {
  if (const auto wrong = api::grammar::qualified_name(key); !wrong.empty()) {
    problems.push_back(
        fmt::format("nodeLabels: Invalid value: \"{}\": {}", key, fmt::join(wrong, "; ")));
  } else if (!is_own_key(key)) {
    problems.push_back(fmt::format(
        "nodeLabels[{}]: Forbidden: a node may not set this label itself; in kubernetes.io and "
        "k8s.io only kubelet.kubernetes.io/*, node.kubernetes.io/* and the well-known ones are "
        "its own; use a key of another domain",
        key));
  }
  if (const auto wrong = api::grammar::label_value(value); !wrong.empty()) {
    problems.push_back(fmt::format("nodeLabels[{}]: Invalid value: \"{}\": {}", key, value,
                                   fmt::join(wrong, "; ")));
  }
}

bool is_effect(const std::string& effect) {
  return effect == "NoSchedule" || effect == "PreferNoSchedule" || effect == "NoExecute";
}

void check_taint(std::vector<std::string>& problems, std::size_t index,
                 const std::vector<api::Taint>& taints) {
  const auto& taint = taints[index];
  const std::string path = fmt::format("nodeTaints[{}]", index);
  if (const auto wrong = api::grammar::qualified_name(taint.key); !wrong.empty()) {
    problems.push_back(
        fmt::format("{}.key: Invalid value: \"{}\": {}", path, taint.key, fmt::join(wrong, "; ")));
  }
  if (const auto wrong = api::grammar::label_value(taint.value); !wrong.empty()) {
    problems.push_back(fmt::format("{}.value: Invalid value: \"{}\": {}", path, taint.value,
                                   fmt::join(wrong, "; ")));
  }
  if (!is_effect(taint.effect)) {
    problems.push_back(
        fmt::format("{}.effect: Unsupported value: \"{}\": supported values: "
                    "\"NoExecute\", \"NoSchedule\", \"PreferNoSchedule\"",
                    path, taint.effect));
  }
  const bool repeated =
      std::any_of(taints.begin(), taints.begin() + static_cast<std::ptrdiff_t>(index),
                  [&](const api::Taint& other) {
                    return other.key == taint.key && other.effect == taint.effect;
                  });
  if (repeated) {
    problems.push_back(
        fmt::format("{}: Duplicate value: taints must be unique by key and effect pair", path));
  }
}

}  // namespace

std::map<std::string, std::string> node_labels(const NodeConfig& config, const NodeFacts& facts) {
  std::map<std::string, std::string> labels{
      {"kubernetes.io/hostname", config.node_name},
      {"kubernetes.io/os", "linux"},
      {"kubernetes.io/arch", facts.architecture},
  };
  for (const auto& [key, value] : config.node_labels) labels[key] = value;
  return labels;
}

std::vector<std::string> forbidden_label_keys(const std::map<std::string, std::string>& labels) {
  std::vector<std::string> keys;
  for (const auto& [key, value] : labels) {
    if (!is_own_key(key)) keys.push_back(key);
  }
  return keys;
}

std::vector<std::string> node_label_problems(const std::map<std::string, std::string>& labels,
                                             const std::vector<api::Taint>& taints) {
  std::vector<std::string> problems;
  for (const auto& [key, value] : labels) check_label(problems, key, value);
  for (std::size_t i = 0; i < taints.size(); ++i) check_taint(problems, i, taints);
  return problems;
}

std::string node_name(const std::string& name) {
  const auto is_space = [](unsigned char c) { return std::isspace(c) != 0; };
  auto begin = std::find_if_not(name.begin(), name.end(), is_space);
  auto end = std::find_if_not(name.rbegin(), name.rend(), is_space).base();
  std::string trimmed = begin < end ? std::string(begin, end) : "";
  std::transform(trimmed.begin(), trimmed.end(), trimmed.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return trimmed;
}

}  // namespace berth::node
