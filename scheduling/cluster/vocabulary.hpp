// SPDX-License-Identifier: Apache-2.0

// A cluster's texts as numbers: names, label sets, selectors; and which selector matches which
// label set, computed once per pair.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "scheduling/cluster/interner.hpp"
#include "scheduling/predicates/label_selector.hpp"

namespace berth::scheduling {

using NameId = std::uint32_t;      // a namespace, a label key, an image
using LabelSetId = std::uint32_t;  // all labels of an object
using SelectorId = std::uint32_t;

// The label set of an object without labels.
inline constexpr LabelSetId kNoLabels = 0;

// Marks used ids, by id.
struct VocabularyUse {
  std::vector<bool> names{};
  std::vector<bool> label_sets{};
  std::vector<bool> selectors{};
};

class Vocabulary {
 public:
  Vocabulary() { static_cast<void>(label_set({})); }

  [[nodiscard]] NameId name(std::string_view text);
  [[nodiscard]] LabelSetId label_set(const Labels& labels);
  [[nodiscard]] SelectorId selector(const LabelSelector& selector);

  [[nodiscard]] const std::string& text_of(NameId id) const { return names_.at(id); }
  [[nodiscard]] const Labels& labels_of(LabelSetId id) const { return label_sets_.at(id); }
  [[nodiscard]] const LabelSelector& selector_of(SelectorId id) const { return selectors_.at(id); }

  [[nodiscard]] bool matches(SelectorId selector, LabelSetId labels) const {
    const auto& known = matches_[selector];
    if (labels < known.size() && known[labels] != Match::kUnknown) {
      return known[labels] == Match::kYes;
    }
    return work_out(selector, labels);
  }

  // The number of interned texts, sets and selectors.
  [[nodiscard]] std::size_t held() const {
    return names_.held() + label_sets_.held() + selectors_.held();
  }
  // Has a mark for every id; only the set without labels is marked.
  [[nodiscard]] VocabularyUse nothing_used() const;
  // Drops unmarked values. Dropped ids may be reused.
  void keep(const VocabularyUse& used);

 private:
  enum class Match : std::uint8_t { kUnknown, kNo, kYes };
  bool work_out(SelectorId selector, LabelSetId labels) const;

  Interner<std::string> names_{};
  Interner<Labels> label_sets_{};
  Interner<LabelSelector> selectors_{};
  // Cache of a pure function, by selector and label set.
  mutable std::vector<std::vector<Match>> matches_{};
};

}  // namespace berth::scheduling
