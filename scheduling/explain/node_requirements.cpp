// SPDX-License-Identifier: Apache-2.0

#include "scheduling/explain/node_requirements.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "scheduling/predicates/taints.hpp"

namespace berth::scheduling {
namespace {

std::string listed(const std::vector<std::string>& values) {
  std::string text;
  for (const std::string& value : values) text += (text.empty() ? "" : ", ") + value;
  return text;
}

std::string label_of(const NodeInfo& node, const std::string& key) {
  const auto label = node.facts.labels.find(key);
  return label == node.facts.labels.end() ? std::string("the node has no such label")
                                          : fmt::format("the node has {}={}", key, label->second);
}

bool forbids(const api::Taint& taint, const std::vector<api::Toleration>& tolerations) {
  return (taint.effect == "NoSchedule" || taint.effect == "NoExecute") &&
         !tolerates(tolerations, taint);
}

std::string toleration_text(const api::Taint& taint) {
  if (taint.value.empty()) {
    return fmt::format("{{key: {}, operator: Exists, effect: {}}}", taint.key, taint.effect);
  }
  return fmt::format("{{key: {}, value: \"{}\", effect: {}}}", taint.key, taint.value,
                     taint.effect);
}

// A term that consists of a single requirement.
api::NodeSelectorTerm term_of(const api::NodeSelectorRequirement& one, bool is_field) {
  api::NodeSelectorTerm term;
  (is_field ? term.matchFields : term.matchExpressions) = {one};
  return term;
}

void explain_requirement(const api::NodeSelectorRequirement& one, bool is_field,
                         const NodeInfo& node, const std::string& where, Refusal& refusal) {
  const NodeTerm term(term_of(one, is_field), api::FieldPath(where));
  if (term.matches(node.identity())) return;
  if (!term.errors().empty()) {
    refusal.values.push_back(fmt::format("{}: {} cannot be parsed, so it never matches ({})", where,
                                         requirement_text(one), term.errors().front().message()));
    return;
  }
  const std::string has = is_field ? fmt::format("this is {}", node.name) : label_of(node, one.key);
  refusal.values.push_back(fmt::format("{}: {} required; {}", where, requirement_text(one), has));
}

void explain_terms(const api::NodeSelector& selector, const std::string& what, const NodeInfo& node,
                   Refusal& refusal) {
  const auto& terms = selector.nodeSelectorTerms;
  if (terms.empty()) refusal.values.push_back(what + " has no terms, so it matches no node");
  for (std::size_t i = 0; i < terms.size(); ++i) {
    const std::string where =
        terms.size() == 1 ? what : fmt::format("{}, alternative {}", what, i + 1);
    if (terms[i].matchExpressions.empty() && terms[i].matchFields.empty()) {
      refusal.values.push_back(where + " is empty, so it matches no node");
    }
    for (const auto& one : terms[i].matchExpressions) {
      explain_requirement(one, false, node, where, refusal);
    }
    for (const auto& one : terms[i].matchFields)
      explain_requirement(one, true, node, where, refusal);
  }
}

// The change to suggest for a node: people can only change its labels.
std::string label_command(const NodeInfo& node, const std::string& key, const std::string& value) {
  return fmt::format("kubectl label node {} {}={} --overwrite", node.name, key, value);
}

}  // namespace

std::string taint_text(const api::Taint& taint) {
  const std::string value = taint.value.empty() ? "" : "=" + taint.value;
  return taint.key + value + ":" + taint.effect;
}

std::string requirement_text(const api::NodeSelectorRequirement& requirement) {
  const std::string& op = requirement.operator_;
  if (op == "Exists" || op == "DoesNotExist") return requirement.key + " " + op;
  return fmt::format("{} {} ({})", requirement.key, op, listed(requirement.values));
}

void explain_cordon(const NodeInfo& node, Refusal& refusal) {
  refusal.values.emplace_back("the node is cordoned (spec.unschedulable: true)");
  refusal.changes.push_back("kubectl uncordon " + node.name);
  refusal.changes.emplace_back(
      "add to tolerations: {key: node.kubernetes.io/unschedulable, operator: Exists, effect: "
      "NoSchedule}");
}

void explain_name(const api::Pod& pod, const NodeInfo& node, Refusal& refusal) {
  refusal.values.push_back(
      fmt::format("spec.nodeName is {}; this is {}", pod.spec.nodeName, node.name));
  refusal.changes.emplace_back("remove spec.nodeName");
}

void explain_taints(const api::Pod& pod, const NodeInfo& node, Refusal& refusal) {
  std::string tolerations;
  std::string taints;
  for (const api::Taint& taint : node.facts.taints) {
    if (!forbids(taint, pod.spec.tolerations)) continue;
    refusal.values.push_back("taint " + taint_text(taint) + " is not tolerated");
    tolerations += (tolerations.empty() ? "" : ", ") + toleration_text(taint);
    taints += " " + taint.key + ":" + taint.effect + "-";
  }
  refusal.changes.push_back("add to tolerations: " + tolerations);
  refusal.changes.push_back(fmt::format("kubectl taint node {}{}", node.name, taints));
}

void explain_affinity(const api::Pod& pod, const NodeInfo& node, Refusal& refusal) {
  const Labels& labels = node.facts.labels;
  bool by_selector = false;
  for (const auto& [key, value] : pod.spec.nodeSelector) {
    const auto label = labels.find(key);
    if (label != labels.end() && label->second == value) continue;
    refusal.values.push_back(
        fmt::format("nodeSelector: {}={} required; {}", key, value, label_of(node, key)));
    refusal.changes.push_back(label_command(node, key, value));
    by_selector = true;
  }
  if (by_selector) refusal.changes.emplace_back("change nodeSelector of the pod");
  const api::NodeSelector* required = required_node_selector(pod.spec.affinity);
  if (required == nullptr || NodeTerms(*required).matches(node.identity())) return;
  explain_terms(*required, "required node affinity", node, refusal);
  refusal.changes.emplace_back(
      required->nodeSelectorTerms.size() > 1
          ? "label the node to match one alternative, or change the node affinity"
          : "label the node to match, or change the node affinity");
}

void explain_added_affinity(const api::NodeSelector& added, const NodeInfo& node,
                            Refusal& refusal) {
  explain_terms(added, "the profile's addedAffinity", node, refusal);
  refusal.changes.emplace_back("use a scheduler profile without this addedAffinity");
}

}  // namespace berth::scheduling
