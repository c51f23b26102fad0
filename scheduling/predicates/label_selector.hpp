// SPDX-License-Identifier: Apache-2.0

// A label selector, compiled: which objects it matches by their labels.
//
// Pure. An absent selector matches nothing, an empty one everything. If a selector cannot be
// compiled, the result is the API's error text.
#pragma once

#include <cstdint>
#include <expected>
#include <optional>
#include <string>
#include <vector>

#include "api/meta.hpp"
#include "scheduling/predicates/label_requirement.hpp"

namespace berth::scheduling {

class LabelSelector {
 public:
  // Matches everything.
  LabelSelector() = default;
  [[nodiscard]] static LabelSelector nothing();
  // Requires every pair to be present; the pairs are not validated.
  [[nodiscard]] static LabelSelector of_pairs(const Labels& pairs);
  [[nodiscard]] static std::expected<LabelSelector, std::string> compile(
      const std::optional<api::LabelSelector>& selector);

  [[nodiscard]] bool matches(const Labels& labels) const;
  // Has no requirement and matches everything.
  [[nodiscard]] bool is_empty() const {
    return reach_ == Reach::kSelected && requirements_.empty();
  }

  // Makes it match only what `other` matches too.
  void narrow(const LabelSelector& other);

  // In kubectl's notation: "app=web,tier in (a,b),!old"; "<all>" and "<none>" for selectors that
  // match everything and nothing. For display.
  [[nodiscard]] std::string to_text() const;

  // Equal for selectors that are written in the same way.
  [[nodiscard]] std::string to_key() const;

  bool operator==(const LabelSelector&) const = default;

 private:
  enum class Reach : std::uint8_t { kSelected, kNothing };

  Reach reach_ = Reach::kSelected;
  std::vector<LabelRequirement> requirements_{};
};

}  // namespace berth::scheduling
