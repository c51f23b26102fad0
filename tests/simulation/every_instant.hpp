// SPDX-License-Identifier: Apache-2.0

// Short lives in which berthd is killed at every instant: between any two handlers, one run each.
//
// If it is writing to the store at that instant, what it writes is lost in one run and kept in
// another. In the shortest lives the next berthd is killed at each of its instants, too.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "tests/simulation/short_life_run.hpp"

namespace berth::simulation {

struct EveryInstant {
  std::optional<std::string> life{};  // the only one, by name
  std::vector<Cut> cuts{};            // one run with these, printed as a story
  std::uint64_t jobs = 1;             // how many runs at once
};

// Cuts as a person writes them: 120 (what is being written is lost), 120k (kept), 120,35k (the
// second counts in the life of the second berthd). Unset if `text` is no such list.
[[nodiscard]] std::optional<std::vector<Cut>> read_cuts(std::string_view text);

// Prints what it finds; the program's exit code.
[[nodiscard]] int run_every_instant(const EveryInstant& options);

}  // namespace berth::simulation
