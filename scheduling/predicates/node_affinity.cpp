// SPDX-License-Identifier: Apache-2.0

#include "scheduling/predicates/node_affinity.hpp"

#include <algorithm>
#include <string_view>

namespace berth::scheduling {
namespace {

bool has_no_content(const api::NodeSelectorTerm& term) {
  return term.matchExpressions.empty() && term.matchFields.empty();
}

void append(api::FieldErrors& errors, const api::FieldErrors& more) {
  errors.insert(errors.end(), more.begin(), more.end());
}

}  // namespace

NodeTerm::NodeTerm(const api::NodeSelectorTerm& term, const api::FieldPath& path)
    : matches_nothing_(has_no_content(term)) {
  parse_expressions(term, path / "matchExpressions");
  parse_fields(term, path / "matchFields");
}

void NodeTerm::parse_expressions(const api::NodeSelectorTerm& term, const api::FieldPath& path) {
  for (std::size_t i = 0; i < term.matchExpressions.size(); ++i) {
    const api::NodeSelectorRequirement& stated = term.matchExpressions[i];
    const auto op = label_operator(stated.operator_);
    if (!op) {
      errors_.push_back(api::not_supported(path / i / "operator",
                                           api::json_string(stated.operator_),
                                           {"In", "NotIn", "Exists", "DoesNotExist", "Gt", "Lt"}));
      continue;
    }
    auto parsed = parse_label_requirement(stated.key, *op, stated.values, path / i);
    if (parsed) {
      expressions_.push_back(std::move(*parsed));
    } else {
      append(errors_, parsed.error());
    }
  }
}

// The name is the only supported field of nodes; a field requirement has one value.
void NodeTerm::parse_fields(const api::NodeSelectorTerm& term, const api::FieldPath& path) {
  for (std::size_t i = 0; i < term.matchFields.size(); ++i) {
    const api::NodeSelectorRequirement& stated = term.matchFields[i];
    const bool same = stated.operator_ == "In";
    if (!same && stated.operator_ != "NotIn") {
      errors_.push_back(api::not_supported(path / i / "operator",
                                           api::json_string(stated.operator_), {"In", "NotIn"}));
    } else if (stated.values.size() != 1) {
      errors_.push_back(api::invalid(
          path / i / "values",
          stated.values.empty() ? api::json_text("null") : api::json_strings(stated.values),
          "must have one element"));
    } else if (stated.key != "metadata.name") {
      // A field that nodes do not have is treated as empty.
      if (stated.values.front().empty() != same) matches_nothing_ = true;
    } else {
      names_.push_back({.same = same, .name = stated.values.front()});
    }
  }
}

bool NodeTerm::matches(const NodeIdentity& node) const {
  if (matches_nothing_ || !errors_.empty()) return false;
  return std::all_of(names_.begin(), names_.end(),
                     [&](const NameRequirement& wanted) {
                       return (wanted.name == node.name) == wanted.same;
                     }) &&
         std::all_of(
             expressions_.begin(), expressions_.end(),
             [&](const LabelRequirement& expression) { return expression.matches(node.labels); });
}

NodeTerms::NodeTerms(const api::NodeSelector& selector) {
  for (std::size_t i = 0; i < selector.nodeSelectorTerms.size(); ++i) {
    terms_.emplace_back(selector.nodeSelectorTerms[i], api::FieldPath().index(i));
    any_broken_ |= !terms_.back().errors().empty();
  }
}

bool NodeTerms::matches(const NodeIdentity& node) const {
  return std::any_of(terms_.begin(), terms_.end(),
                     [&](const NodeTerm& term) { return term.matches(node); });
}

NodeMatch NodeTerms::match(const NodeIdentity& node) const {
  if (matches(node)) return NodeMatch::kYes;
  return any_broken_ ? NodeMatch::kBroken : NodeMatch::kNo;
}

RequiredNodeAffinity::RequiredNodeAffinity(const api::PodSpec& spec) : pairs_(spec.nodeSelector) {
  if (const api::NodeSelector* required = required_node_selector(spec.affinity)) {
    terms_.emplace(*required);
  }
}

NodeMatch RequiredNodeAffinity::match(const NodeIdentity& node) const {
  for (const auto& [key, value] : pairs_) {
    const auto label = node.labels.find(key);
    if (label == node.labels.end() || label->second != value) return NodeMatch::kNo;
  }
  return terms_ ? terms_->match(node) : NodeMatch::kYes;
}

bool RequiredNodeAffinity::matches(const NodeIdentity& node) const {
  return match(node) == NodeMatch::kYes;
}

std::expected<PreferredNodeTerms, std::string> PreferredNodeTerms::parse(
    const std::vector<api::PreferredSchedulingTerm>& terms) {
  PreferredNodeTerms parsed;
  api::FieldErrors errors;
  for (std::size_t i = 0; i < terms.size(); ++i) {
    const api::PreferredSchedulingTerm& stated = terms[i];
    if (stated.weight == 0 || has_no_content(stated.preference)) continue;
    NodeTerm term(stated.preference, api::FieldPath().index(i));
    append(errors, term.errors());
    parsed.terms_.push_back({.weight = stated.weight, .term = std::move(term)});
  }
  if (!errors.empty()) return std::unexpected(api::api_list(errors));
  return parsed;
}

std::int64_t PreferredNodeTerms::weight(const NodeIdentity& node) const {
  std::int64_t sum = 0;
  for (const Weighted& weighted : terms_) {
    if (weighted.term.matches(node)) sum += weighted.weight;
  }
  return sum;
}

const api::NodeSelector* required_node_selector(const std::optional<api::Affinity>& affinity) {
  if (!affinity || !affinity->nodeAffinity) return nullptr;
  const auto& required = affinity->nodeAffinity->requiredDuringSchedulingIgnoredDuringExecution;
  return required ? &*required : nullptr;
}

const std::vector<api::PreferredSchedulingTerm>& preferred_node_terms(
    const std::optional<api::Affinity>& affinity) {
  static const std::vector<api::PreferredSchedulingTerm> kNone;
  if (!affinity || !affinity->nodeAffinity) return kNone;
  return affinity->nodeAffinity->preferredDuringSchedulingIgnoredDuringExecution;
}

}  // namespace berth::scheduling
