// SPDX-License-Identifier: Apache-2.0

// One finding of `berthctl doctor`. A plain value.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

#include "base/assertion.hpp"

namespace berth::agent {

enum class Severity : std::uint8_t { kNote, kWarning, kTrouble };

[[nodiscard]] constexpr std::string_view to_string(Severity severity) {
  switch (severity) {
    case Severity::kNote:
      return "note";
    case Severity::kWarning:
      return "warning";
    case Severity::kTrouble:
      return "trouble";
  }
  return "";
}

// What to do about a finding: a clause, never empty.
class Advice {
 public:
  explicit Advice(std::string text) : text_(std::move(text)) {
    assert_that(!text_.empty(), "advice says what to do");
  }
  [[nodiscard]] const std::string& text() const { return text_; }

 private:
  std::string text_;
};

// Made with advice; only a note can do without.
struct Finding {
  Finding(Severity how_bad, std::string where, std::string what, std::string problem,
          const Advice& what_to_do)
      : severity(how_bad),
        area(std::move(where)),
        subject(std::move(what)),
        text(std::move(problem)),
        advice(what_to_do.text()) {}

  [[nodiscard]] static Finding note(std::string area, std::string subject, std::string text) {
    return {std::move(area), std::move(subject), std::move(text)};
  }

  Severity severity = Severity::kNote;
  std::string area{};  // berthd, machine, runtime, store, configuration, manifests, pods, takeover
  std::string subject{};  // a file, a pod; empty: the whole area
  std::string text{};     // the problem
  std::string advice{};   // what to do about it; empty only for a note

  bool operator==(const Finding&) const = default;

 private:
  Finding(std::string where, std::string what, std::string fact)
      : area(std::move(where)), subject(std::move(what)), text(std::move(fact)) {}
};

}  // namespace berth::agent
