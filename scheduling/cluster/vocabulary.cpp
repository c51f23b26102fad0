// SPDX-License-Identifier: Apache-2.0

#include "scheduling/cluster/vocabulary.hpp"

#include "scheduling/predicates/key_text.hpp"

namespace berth::scheduling {

NameId Vocabulary::name(std::string_view text) {
  return names_.intern(text, [&] { return std::string(text); });
}

LabelSetId Vocabulary::label_set(const Labels& labels) {
  KeyText key;
  for (const auto& [name, value] : labels) key.add(name).add(value);
  return label_sets_.intern(key.text(), [&] { return labels; });
}

SelectorId Vocabulary::selector(const LabelSelector& selector) {
  const SelectorId id = selectors_.intern(selector.to_key(), [&] { return selector; });
  if (id >= matches_.size()) matches_.resize(id + 1);
  return id;
}

VocabularyUse Vocabulary::nothing_used() const {
  VocabularyUse used{.names = std::vector<bool>(names_.slots()),
                     .label_sets = std::vector<bool>(label_sets_.slots()),
                     .selectors = std::vector<bool>(selectors_.slots())};
  used.label_sets[kNoLabels] = true;
  return used;
}

void Vocabulary::keep(const VocabularyUse& used) {
  names_.keep(used.names);
  label_sets_.keep(used.label_sets);
  selectors_.keep(used.selectors);
  matches_.clear();
  matches_.resize(selectors_.slots());
}

bool Vocabulary::work_out(SelectorId selector, LabelSetId labels) const {
  auto& known = matches_[selector];
  if (labels >= known.size()) known.resize(label_sets_.slots(), Match::kUnknown);
  const bool match = selectors_.at(selector).matches(label_sets_.at(labels));
  known[labels] = match ? Match::kYes : Match::kNo;
  return match;
}

}  // namespace berth::scheduling
