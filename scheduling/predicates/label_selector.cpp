// SPDX-License-Identifier: Apache-2.0

#include "scheduling/predicates/label_selector.hpp"

#include <algorithm>

#include "scheduling/predicates/key_text.hpp"

namespace berth::scheduling {
namespace {

std::string listed(const std::vector<std::string>& values) {
  std::string text;
  for (const std::string& value : values) text += (text.empty() ? "" : ",") + value;
  return text;
}

std::string text_of(const LabelRequirement& requirement) {
  const auto& [key, op, values, bound] = requirement;
  const bool single = values.size() == 1;
  switch (op) {
    case LabelOperator::kIn:
      return single ? key + "=" + values.front() : key + " in (" + listed(values) + ")";
    case LabelOperator::kNotIn:
      return single ? key + "!=" + values.front() : key + " notin (" + listed(values) + ")";
    case LabelOperator::kExists:
      return key;
    case LabelOperator::kDoesNotExist:
      return "!" + key;
    case LabelOperator::kGt:
      return key + ">" + std::to_string(bound);
    case LabelOperator::kLt:
      return key + "<" + std::to_string(bound);
  }
  return key;
}

}  // namespace

LabelSelector LabelSelector::nothing() {
  LabelSelector selector;
  selector.reach_ = Reach::kNothing;
  return selector;
}

LabelSelector LabelSelector::of_pairs(const Labels& pairs) {
  LabelSelector selector;
  for (const auto& [key, value] : pairs) {
    selector.requirements_.push_back({.key = key, .op = LabelOperator::kIn, .values = {value}});
  }
  return selector;
}

std::expected<LabelSelector, std::string> LabelSelector::compile(
    const std::optional<api::LabelSelector>& selector) {
  if (!selector) return nothing();
  LabelSelector compiled;
  const auto add = [&](const std::string& key, LabelOperator op,
                       const std::vector<std::string>& values) -> std::optional<std::string> {
    auto parsed = parse_label_requirement(key, op, values, {});
    if (!parsed) return api::api_list(parsed.error());
    compiled.requirements_.push_back(std::move(*parsed));
    return std::nullopt;
  };
  for (const auto& [key, value] : selector->matchLabels) {
    if (auto problem = add(key, LabelOperator::kIn, {value})) {
      return std::unexpected(std::move(*problem));
    }
  }
  for (const api::LabelSelectorRequirement& stated : selector->matchExpressions) {
    const auto op = label_operator(stated.operator_);
    if (!op || *op == LabelOperator::kGt || *op == LabelOperator::kLt) {
      return std::unexpected(api::go_quote(stated.operator_) +
                             " is not a valid label selector operator");
    }
    if (auto problem = add(stated.key, *op, stated.values)) {
      return std::unexpected(std::move(*problem));
    }
  }
  return compiled;
}

bool LabelSelector::matches(const Labels& labels) const {
  return reach_ == Reach::kSelected && std::all_of(requirements_.begin(), requirements_.end(),
                                                   [&](const LabelRequirement& requirement) {
                                                     return requirement.matches(labels);
                                                   });
}

void LabelSelector::narrow(const LabelSelector& other) {
  if (other.reach_ == Reach::kNothing) reach_ = Reach::kNothing;
  requirements_.insert(requirements_.end(), other.requirements_.begin(), other.requirements_.end());
}

std::string LabelSelector::to_text() const {
  if (reach_ == Reach::kNothing) return "<none>";
  std::string text;
  for (const LabelRequirement& requirement : requirements_) {
    text += (text.empty() ? "" : ",") + text_of(requirement);
  }
  return text.empty() ? "<all>" : text;
}

std::string LabelSelector::to_key() const {
  KeyText key;
  key.mark(reach_ == Reach::kNothing ? '-' : '+');
  for (const LabelRequirement& requirement : requirements_) {
    key.add(requirement.key).add(static_cast<std::int64_t>(requirement.op));
    for (const std::string& value : requirement.values) key.add(value);
    key.mark('|');
  }
  return key.text();
}

}  // namespace berth::scheduling
