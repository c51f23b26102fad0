// SPDX-License-Identifier: Apache-2.0

// What the eviction manager knows at one moment, for whoever explains it.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "base/clock_types.hpp"
#include "eviction/explain.hpp"

namespace berth::agent {

// An explanation, and everything that it was made from.
struct EvictionView {
  eviction::Explanation explanation{};
  eviction::Readings readings{};
  std::vector<std::shared_ptr<const api::Pod>> pods{};
  std::optional<eviction::FileSystemLayout> layout{};
  SteadyTime now{};
};

}  // namespace berth::agent
