// SPDX-License-Identifier: Apache-2.0

// The output of `evict` for the answer to an Eviction, and its exit code. Pure.
#pragma once

#include <string>

#include "api/status.hpp"

namespace berth::ctl {

struct EvictionReport {
  std::string text{};       // for stdout
  std::string complaint{};  // for stderr
  int exit_code = 0;        // 0; 3 not found; 7 a budget forbids it; 1 anything else
};

struct EvictionOutcome {
  std::string pod{};
  api::Status answer{};
  std::string why{};  // which rule of which budget, a clause
  bool dry_run = false;
  bool comes_back = false;  // its manifest remains
  bool not_stored = false;
};

[[nodiscard]] EvictionReport eviction_report(const EvictionOutcome& outcome);

}  // namespace berth::ctl
