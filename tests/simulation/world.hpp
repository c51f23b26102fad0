// SPDX-License-Identifier: Apache-2.0

// One run of the real agent logic in a fake world, from a seed.
//
// The pod set with its workers, plan, status and relist runs on virtual time against the simulated
// runtime and host. For some virtual minutes manifests come and go, pods are deleted, the agent and
// the runtime are restarted and faults strike; then all that stops, and within a bounded time
// everything must settle. Invariants are checked all along. The same seed gives the same trace, to
// the byte. Runs share nothing: several may go on in threads of their own.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "base/clock_types.hpp"
#include "tests/simulation/trace.hpp"

namespace berth::simulation {

struct Outcome {
  std::optional<std::string> violation{};  // unset if passed
  std::uint64_t trace_hash = 0;
  std::uint64_t ledger_hash = 0;
  std::uint64_t trace_lines = 0;
  std::uint64_t runtime_calls = 0;
  Nanoseconds simulated{};  // how long it lasted in virtual time
};

[[nodiscard]] Outcome run_seed(std::uint64_t seed, Trace::Sink sink = {});

}  // namespace berth::simulation
