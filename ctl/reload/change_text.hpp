// SPDX-License-Identifier: Apache-2.0

// A changed setting as it is shown. Pure.
#pragma once

#include <string>

#include <boost/json.hpp>

namespace berth::ctl {

struct ShownChange {
  std::string field{};
  std::string before{};
  std::string after{};
  bool needs_restart = false;
};

// From the control API's message.
template <class Change>
[[nodiscard]] ShownChange shown(const Change& change) {
  return {.field = change.field(),
          .before = change.before(),
          .after = change.after(),
          .needs_restart = change.needs_restart()};
}

// "maxPods: 110 -> 3"
[[nodiscard]] inline std::string change_text(const ShownChange& change) {
  return change.field + ": " + change.before + " -> " + change.after;
}

[[nodiscard]] inline boost::json::value change_json(const ShownChange& change) {
  return {{"field", change.field},
          {"before", change.before},
          {"after", change.after},
          {"needsRestart", change.needs_restart}};
}

}  // namespace berth::ctl
