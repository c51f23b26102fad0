// SPDX-License-Identifier: Apache-2.0

// Node affinity, pod affinity and pod anti-affinity.
#include <algorithm>

#include "api/validation/validate_pod_parts.hpp"
#include "api/validation/validate_values.hpp"

namespace berth::api {

namespace {

void check_weight(FieldErrors& errors, const FieldPath& path, std::int32_t weight) {
  if (weight >= 1 && weight <= 100) return;
  errors.push_back(invalid(path, number(weight), "must be in the range 1-100"));
}

void check_node_expression(FieldErrors& errors, const FieldPath& path,
                           const NodeSelectorRequirement& requirement, bool check_values) {
  const std::string& op = requirement.operator_;
  if (op == "In" || op == "NotIn") {
    if (requirement.values.empty()) {
      errors.push_back(
          required(path / "values", "must be specified when `operator` is 'In' or 'NotIn'"));
    }
  } else if (op == "Exists" || op == "DoesNotExist") {
    if (!requirement.values.empty()) {
      errors.push_back(forbidden(
          path / "values", "may not be specified when `operator` is 'Exists' or 'DoesNotExist'"));
    }
  } else if (op == "Gt" || op == "Lt") {
    if (requirement.values.size() != 1) {
      errors.push_back(required(path / "values",
                                "must be specified single value when `operator` is 'Lt' or 'Gt'"));
    }
  } else {
    errors.push_back(invalid(path / "operator", json_string(op), "not a valid selector operator"));
  }
  check_text(errors, path / "key", requirement.key, grammar::qualified_name);
  if (!check_values) return;
  for (std::size_t i = 0; i < requirement.values.size(); ++i) {
    check_text(errors, path / "values" / i, requirement.values[i], grammar::label_value);
  }
}

void check_node_field(FieldErrors& errors, const FieldPath& path,
                      const NodeSelectorRequirement& requirement) {
  const std::string& op = requirement.operator_;
  if (op == "In" || op == "NotIn") {
    if (requirement.values.size() != 1) {
      errors.push_back(required(path / "values",
                                "must be only one value when `operator` is 'In' or 'NotIn' for "
                                "node field selector"));
    }
  } else {
    errors.push_back(invalid(path / "operator", json_string(op), "not a valid selector operator"));
  }
  if (requirement.key != "metadata.name") {
    errors.push_back(
        invalid(path / "key", quoted(requirement.key), "not a valid field selector key"));
    return;
  }
  for (std::size_t i = 0; i < requirement.values.size(); ++i) {
    check_text(errors, path / "values" / i, requirement.values[i], grammar::dns1123_subdomain);
  }
}

void check_node_term(FieldErrors& errors, const FieldPath& path, const NodeSelectorTerm& term,
                     bool check_values) {
  for (std::size_t i = 0; i < term.matchExpressions.size(); ++i) {
    check_node_expression(errors, path / "matchExpressions" / i, term.matchExpressions[i],
                          check_values);
  }
  for (std::size_t i = 0; i < term.matchFields.size(); ++i) {
    check_node_field(errors, path / "matchFields" / i, term.matchFields[i]);
  }
}

void check_node_affinity(FieldErrors& errors, const FieldPath& path, const NodeAffinity& affinity) {
  if (affinity.requiredDuringSchedulingIgnoredDuringExecution) {
    const auto& terms = affinity.requiredDuringSchedulingIgnoredDuringExecution->nodeSelectorTerms;
    const FieldPath at =
        path / "requiredDuringSchedulingIgnoredDuringExecution" / "nodeSelectorTerms";
    if (terms.empty()) {
      errors.push_back(required(at, "must have at least one node selector term"));
    }
    for (std::size_t i = 0; i < terms.size(); ++i) check_node_term(errors, at / i, terms[i], true);
  }
  const auto& preferred = affinity.preferredDuringSchedulingIgnoredDuringExecution;
  for (std::size_t i = 0; i < preferred.size(); ++i) {
    const FieldPath at = path / "preferredDuringSchedulingIgnoredDuringExecution" / i;
    check_weight(errors, at / "weight", preferred[i].weight);
    check_node_term(errors, at / "preference", preferred[i].preference, false);
  }
}

void check_label_keys(FieldErrors& errors, const FieldPath& path, const PodAffinityTerm& term) {
  const auto list = [&](std::string_view name, const std::vector<std::string>& keys) {
    if (keys.empty()) return;
    if (!term.labelSelector) {
      errors.push_back(
          forbidden(path / name, "must not be specified when labelSelector is not set"));
    }
    for (std::size_t i = 0; i < keys.size(); ++i) {
      check_text(errors, path / name / i, keys[i], grammar::qualified_name);
    }
  };
  list("matchLabelKeys", term.matchLabelKeys);
  list("mismatchLabelKeys", term.mismatchLabelKeys);
  if (term.labelSelector) {
    check_repeated_label_keys(errors, path, term.matchLabelKeys, *term.labelSelector);
  }
  for (std::size_t i = 0; i < term.matchLabelKeys.size(); ++i) {
    const std::string& key = term.matchLabelKeys[i];
    const auto& mismatch = term.mismatchLabelKeys;
    if (std::find(mismatch.begin(), mismatch.end(), key) == mismatch.end()) continue;
    errors.push_back(invalid(path / "matchLabelKeys" / i, quoted(key),
                             "exists in both matchLabelKeys and mismatchLabelKeys"));
  }
}

void check_pod_term(FieldErrors& errors, const FieldPath& path, const PodAffinityTerm& term) {
  if (term.labelSelector) {
    check_label_selector(errors, path / "labelSelector", *term.labelSelector);
  }
  if (term.namespaceSelector) {
    check_label_selector(errors, path / "namespaceSelector", *term.namespaceSelector);
  }
  for (const std::string& name : term.namespaces) {
    check_text(errors, path / "namespace", name, grammar::dns1123_label);
  }
  check_label_keys(errors, path, term);
  if (term.topologyKey.empty()) {
    errors.push_back(required(path / "topologyKey", "can not be empty"));
  }
  check_text(errors, path / "topologyKey", term.topologyKey, grammar::qualified_name);
}

template <class PodTerms>
void check_pod_terms(FieldErrors& errors, const FieldPath& path, const PodTerms& terms) {
  const auto& hard = terms.requiredDuringSchedulingIgnoredDuringExecution;
  for (std::size_t i = 0; i < hard.size(); ++i) {
    check_pod_term(errors, path / "requiredDuringSchedulingIgnoredDuringExecution" / i, hard[i]);
  }
  const auto& soft = terms.preferredDuringSchedulingIgnoredDuringExecution;
  for (std::size_t i = 0; i < soft.size(); ++i) {
    const FieldPath at = path / "preferredDuringSchedulingIgnoredDuringExecution" / i;
    check_weight(errors, at / "weight", soft[i].weight);
    check_pod_term(errors, at / "podAffinityTerm", soft[i].podAffinityTerm);
  }
}

}  // namespace

void check_repeated_label_keys(FieldErrors& errors, const FieldPath& path,
                               const std::vector<std::string>& match_label_keys,
                               const LabelSelector& selector) {
  std::set<std::string> seen;
  for (const auto& [key, value] : selector.matchLabels) seen.insert(key);
  for (const LabelSelectorRequirement& requirement : selector.matchExpressions) {
    const std::string& key = requirement.key;
    const auto listed = std::find(match_label_keys.rbegin(), match_label_keys.rend(), key);
    if (listed != match_label_keys.rend() && seen.contains(key)) {
      const auto position = static_cast<std::size_t>(match_label_keys.rend() - listed) - 1;
      errors.push_back(
          invalid(path / position, quoted(key), "exists in both matchLabelKeys and labelSelector"));
    }
    seen.insert(key);
  }
}

void check_affinity(FieldErrors& errors, const FieldPath& path, const Affinity& affinity) {
  if (affinity.nodeAffinity) {
    check_node_affinity(errors, path / "nodeAffinity", *affinity.nodeAffinity);
  }
  if (affinity.podAffinity) {
    check_pod_terms(errors, path / "podAffinity", *affinity.podAffinity);
  }
  if (affinity.podAntiAffinity) {
    check_pod_terms(errors, path / "podAntiAffinity", *affinity.podAntiAffinity);
  }
}

}  // namespace berth::api
