#include "scheduling/predicates/label_selector.hpp"

#include <algorithm>

namespace berth::scheduling {

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

std::string LabelSelector::to_key() const {
  // Lengths before texts: no two selectors share a key, whatever their texts hold.
  std::string text(reach_ == Reach::kNothing ? "-" : "+");
  const auto append = [&](const std::string& part) {
    text += std::to_string(part.size());
    text += ':';
    text += part;
  };
  for (const LabelRequirement& requirement : requirements_) {
    append(requirement.key);
    text += std::to_string(static_cast<int>(requirement.op));
    for (const std::string& value : requirement.values) append(value);
    text += '|';
  }
  return text;
}

}  // namespace berth::scheduling
