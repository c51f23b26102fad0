// SPDX-License-Identifier: Apache-2.0

// One finding of `berthctl doctor`. A plain value.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

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

struct Finding {
  Severity severity = Severity::kNote;
  std::string area{};  // berthd, machine, runtime, store, configuration, manifests, pods, takeover
  std::string subject{};  // a file, a pod; empty: the whole area
  std::string text{};

  bool operator==(const Finding&) const = default;
};

}  // namespace berth::agent
