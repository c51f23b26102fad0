// SPDX-License-Identifier: Apache-2.0

#include <string>

#include <gtest/gtest.h>

#include "tests/simulation/world.hpp"

namespace berth::simulation {
namespace {

TEST(Simulation, a_seed_replays_to_the_byte) {
  // The pods of 513 have logs in a folder of its own.
  for (const std::uint64_t seed : {1U, 2U, 3U, 17U, 99U, 513U, 4242U, 17073U}) {
    std::string first;
    std::string second;
    const auto once = run_seed(seed, [&](const std::string& line) { first += line + "\n"; });
    const auto again = run_seed(seed, [&](const std::string& line) { second += line + "\n"; });
    EXPECT_EQ(once.trace_hash, again.trace_hash) << "seed " << seed;
    EXPECT_EQ(once.ledger_hash, again.ledger_hash) << "seed " << seed;
    EXPECT_EQ(first, second) << "seed " << seed;
  }
}

TEST(Simulation, printing_the_trace_changes_nothing) {
  const auto silent = run_seed(7);
  const auto printed = run_seed(7, [](const std::string&) {});
  EXPECT_EQ(silent.trace_hash, printed.trace_hash);
  EXPECT_GT(silent.trace_lines, 10U);
}

TEST(Simulation, seeds_differ) {
  EXPECT_NE(run_seed(1).trace_hash, run_seed(2).trace_hash);
}

}  // namespace
}  // namespace berth::simulation
