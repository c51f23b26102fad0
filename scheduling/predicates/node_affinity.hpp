// SPDX-License-Identifier: Apache-2.0

// Whether a pod may be placed on a node, and how much it prefers to be: nodeSelector, required and
// preferred node affinity.
//
// Pure. Terms are alternatives; an empty term and an empty list match nothing. An invalid term
// matches nothing: among required terms the others still count, among preferred ones it is an
// error, with the API's message.
#pragma once

#include <cstdint>
#include <expected>
#include <optional>
#include <string>
#include <vector>

#include "api/affinity.hpp"
#include "api/field_error.hpp"
#include "api/node.hpp"
#include "api/pod.hpp"
#include "scheduling/predicates/label_requirement.hpp"

namespace berth::scheduling {

// The part of a node that a node selector reads. Does not own it.
struct NodeIdentity {
  const std::string& name;
  const Labels& labels;
};
[[nodiscard]] inline NodeIdentity identity_of(const api::Node& node) {
  return {.name = node.metadata.name, .labels = node.metadata.labels};
}

// A selector's verdict on a node: kBroken if no term matches and one is invalid.
enum class NodeMatch : std::uint8_t { kNo, kYes, kBroken };

class NodeTerm {
 public:
  NodeTerm(const api::NodeSelectorTerm& term, const api::FieldPath& path);

  [[nodiscard]] bool matches(const NodeIdentity& node) const;
  [[nodiscard]] const api::FieldErrors& errors() const { return errors_; }

 private:
  struct NameRequirement {
    bool same = true;
    std::string name{};
  };
  void parse_expressions(const api::NodeSelectorTerm& term, const api::FieldPath& path);
  void parse_fields(const api::NodeSelectorTerm& term, const api::FieldPath& path);

  std::vector<LabelRequirement> expressions_{};
  std::vector<NameRequirement> names_{};
  bool matches_nothing_ = false;
  api::FieldErrors errors_{};
};

class NodeTerms {
 public:
  explicit NodeTerms(const api::NodeSelector& selector);

  [[nodiscard]] bool matches(const NodeIdentity& node) const;
  [[nodiscard]] NodeMatch match(const NodeIdentity& node) const;

 private:
  std::vector<NodeTerm> terms_{};
  bool any_broken_ = false;
};

// spec.nodeSelector and required node affinity together.
class RequiredNodeAffinity {
 public:
  // For a pod without requirements.
  RequiredNodeAffinity() = default;
  explicit RequiredNodeAffinity(const api::PodSpec& spec);

  [[nodiscard]] bool is_empty() const { return pairs_.empty() && !terms_; }
  [[nodiscard]] bool matches(const NodeIdentity& node) const;
  [[nodiscard]] NodeMatch match(const NodeIdentity& node) const;

 private:
  Labels pairs_{};
  std::optional<NodeTerms> terms_{};
};

// Omits terms with weight 0 or without content.
class PreferredNodeTerms {
 public:
  PreferredNodeTerms() = default;
  [[nodiscard]] static std::expected<PreferredNodeTerms, std::string> parse(
      const std::vector<api::PreferredSchedulingTerm>& terms);

  [[nodiscard]] bool is_empty() const { return terms_.empty(); }
  // The sum of the weights of matching terms.
  [[nodiscard]] std::int64_t weight(const NodeIdentity& node) const;

 private:
  struct Weighted {
    std::int32_t weight = 0;
    NodeTerm term;
  };
  std::vector<Weighted> terms_{};
};

// The parts of an affinity that may be unset.
[[nodiscard]] const api::NodeSelector* required_node_selector(
    const std::optional<api::Affinity>& affinity);
[[nodiscard]] const std::vector<api::PreferredSchedulingTerm>& preferred_node_terms(
    const std::optional<api::Affinity>& affinity);

}  // namespace berth::scheduling
