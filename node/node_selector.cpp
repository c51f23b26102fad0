#include "node/node_selector.hpp"

#include <algorithm>
#include <charconv>
#include <optional>
#include <string>

#include "api/validate_grammar.hpp"

namespace berth::node {
namespace {

using Labels = std::map<std::string, std::string>;

std::optional<std::int64_t> number(const std::string& text) {
  const char* begin = text.data();
  // from_chars takes no plus sign; the API's numbers may have one.
  if (!text.empty() && text.front() == '+') ++begin;
  std::int64_t value = 0;
  const auto parsed = std::from_chars(begin, text.data() + text.size(), value);
  if (parsed.ec != std::errc{} || parsed.ptr != text.data() + text.size()) return std::nullopt;
  return value;
}

// Whether the requirement is one at all; a term with one that is not matches nothing.
bool is_well_formed(const api::NodeSelectorRequirement& requirement) {
  if (!api::grammar::qualified_name(requirement.key).empty()) return false;
  const auto& values = requirement.values;
  const auto& op = requirement.operator_;
  if (op == "In" || op == "NotIn") {
    if (values.empty()) return false;
  } else if (op == "Exists" || op == "DoesNotExist") {
    if (!values.empty()) return false;
  } else if (op == "Gt" || op == "Lt") {
    if (values.size() != 1 || !number(values.front())) return false;
  } else {
    return false;
  }
  return std::all_of(values.begin(), values.end(), [](const std::string& value) {
    return api::grammar::label_value(value).empty();
  });
}

bool contains(const std::vector<std::string>& values, const std::string& value) {
  return std::find(values.begin(), values.end(), value) != values.end();
}

bool matches(const api::NodeSelectorRequirement& requirement, const Labels& labels) {
  const auto label = labels.find(requirement.key);
  const bool present = label != labels.end();
  const auto& op = requirement.operator_;
  if (op == "In") return present && contains(requirement.values, label->second);
  if (op == "NotIn") return !present || !contains(requirement.values, label->second);
  if (op == "Exists") return present;
  if (op == "DoesNotExist") return !present;
  const auto bound = number(requirement.values.front());
  const auto value = present ? number(label->second) : std::nullopt;
  if (!bound || !value) return false;
  return op == "Gt" ? *value > *bound : *value < *bound;
}

// Only the node's name can be asked for, and only one at a time.
bool matches_field(const api::NodeSelectorRequirement& requirement, const api::Node& node) {
  if (requirement.key != "metadata.name" || requirement.values.size() != 1) return false;
  const bool same = requirement.values.front() == node.metadata.name;
  if (requirement.operator_ == "In") return same;
  return requirement.operator_ == "NotIn" && !same;
}

bool matches_term(const api::NodeSelectorTerm& term, const api::Node& node) {
  if (term.matchExpressions.empty() && term.matchFields.empty()) return false;
  for (const auto& requirement : term.matchExpressions) {
    if (!is_well_formed(requirement)) return false;
    if (!matches(requirement, node.metadata.labels)) return false;
  }
  return std::all_of(
      term.matchFields.begin(), term.matchFields.end(),
      [&](const api::NodeSelectorRequirement& field) { return matches_field(field, node); });
}

}  // namespace

bool matches_node_selector(const api::NodeSelector& selector, const api::Node& node) {
  return std::any_of(selector.nodeSelectorTerms.begin(), selector.nodeSelectorTerms.end(),
                     [&](const api::NodeSelectorTerm& term) { return matches_term(term, node); });
}

bool matches_node(const api::Pod& pod, const api::Node& node) {
  const auto& labels = node.metadata.labels;
  for (const auto& [key, value] : pod.spec.nodeSelector) {
    const auto label = labels.find(key);
    if (label == labels.end() || label->second != value) return false;
  }
  if (!pod.spec.affinity || !pod.spec.affinity->nodeAffinity) return true;
  const auto& required =
      pod.spec.affinity->nodeAffinity->requiredDuringSchedulingIgnoredDuringExecution;
  return !required || matches_node_selector(*required, node);
}

}  // namespace berth::node
