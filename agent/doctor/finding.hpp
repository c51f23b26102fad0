// One finding of `berthctl doctor`. A plain value.
#pragma once

#include <cstdint>
#include <string>

namespace berth::agent {

enum class Severity : std::uint8_t { kNote, kWarning, kTrouble };

struct Finding {
  Severity severity = Severity::kNote;
  std::string area{};  // berthd, machine, runtime, store, configuration, manifests, pods, takeover
  std::string subject{};  // a file, a pod; empty: the whole area
  std::string text{};

  bool operator==(const Finding&) const = default;
};

}  // namespace berth::agent
