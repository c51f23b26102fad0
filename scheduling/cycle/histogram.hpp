// SPDX-License-Identifier: Apache-2.0

// Number of nodes per reason, as one sentence.
#pragma once

#include <cstddef>
#include <map>
#include <string>

#include "scheduling/cycle/rejection.hpp"

namespace berth::scheduling {

class ReasonHistogram {
 public:
  void add(const Status& status, std::size_t nodes) {
    if (nodes == 0) return;
    for (const std::string& reason : status.reasons) counts_[reason] += nodes;
  }

  // " 2 Insufficient cpu, 3 …." sorted as texts; empty without reasons.
  [[nodiscard]] std::string to_string() const;

 private:
  std::map<std::string, std::size_t> counts_{};
};

}  // namespace berth::scheduling
