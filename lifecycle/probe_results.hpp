// SPDX-License-Identifier: Apache-2.0

// The results that probes have published, as input of decisions.
//
// Keyed by container id, so that a new instance starts without a result. A declared probe without
// an entry here has no result yet. Plain values.
#pragma once

#include <cstdint>
#include <map>
#include <optional>

#include "cri/types.hpp"

namespace berth::lifecycle {

enum class ProbeResult : std::uint8_t { kUnknown, kSuccess, kFailure };

using ResultsById = std::map<cri::ContainerId, ProbeResult>;

struct ProbeResults {
  ResultsById liveness{};
  ResultsById readiness{};
  ResultsById startup{};

  bool operator==(const ProbeResults&) const = default;
};

[[nodiscard]] inline std::optional<ProbeResult> result_of(const ResultsById& results,
                                                          const cri::ContainerId& id) {
  const auto found = results.find(id);
  if (found == results.end()) return std::nullopt;
  return found->second;
}

}  // namespace berth::lifecycle
