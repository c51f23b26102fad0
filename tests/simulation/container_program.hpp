// SPDX-License-Identifier: Apache-2.0

// What a simulated container does, read from its command.
//
//   sim                        runs for ever, dies of TERM at once with 143
//   sim exit=CODE after=MS     ends by itself
//   sim oom after=MS           killed by the kernel: 137, OOMKilled
//   sim fails=N                the end by itself happens in the first N attempts only
//   sim fails=N recovers       later attempts end by themselves with 0
//   sim fails=N recovers later=CODE   … or with this code
//   sim term=ignore            only KILL ends it
//   sim term=MS code=CODE      dies of TERM after MS with CODE
//   sim on=SIGNAL              takes this signal for TERM, and no other
//
// Words may be combined; what does not begin with `sim` runs for ever.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/clock_types.hpp"

namespace berth::simulation {

struct ContainerProgram {
  std::optional<Nanoseconds> ends_after{};
  std::int32_t exit_code = 0;
  bool out_of_memory = false;
  std::optional<std::uint32_t> failing_attempts{};  // unset if every attempt ends by itself
  bool recovers = false;
  std::int32_t later_code = 0;
  bool ignores_term = false;
  Nanoseconds term_delay{};
  std::int32_t term_code = 143;
  std::string obeys = "SIGTERM";

  // Whether the attempt of this number ends by itself.
  [[nodiscard]] bool ends(std::uint32_t attempt) const {
    return ends_after && (!failing_attempts || attempt < *failing_attempts || recovers);
  }
  // The exit code of such an attempt.
  [[nodiscard]] std::int32_t code(std::uint32_t attempt) const {
    return !failing_attempts || attempt < *failing_attempts ? exit_code : later_code;
  }
};

[[nodiscard]] ContainerProgram read_program(const std::vector<std::string>& command);
[[nodiscard]] std::vector<std::string> write_program(const ContainerProgram& program);

enum class HookKind : std::uint8_t { kPostStart, kPreStop };

// Longer than any run.
inline constexpr Nanoseconds kNeverReturns = std::chrono::hours(24);

// A hook's command, written and read in the same way.
struct Hook {
  HookKind kind = HookKind::kPreStop;
  Nanoseconds takes{};
  std::int32_t exit_code = 0;
};
[[nodiscard]] std::vector<std::string> write_hook(const Hook& hook);
[[nodiscard]] std::optional<Hook> read_hook(const std::vector<std::string>& command);

// How a probe's target behaves: well for `up`, badly for `down`, and so on, by the clock of the
// world (always well if `down` is zero). An answer takes its time; a bad one may never arrive.
struct ProbeScript {
  Nanoseconds up{std::chrono::seconds(1)};
  Nanoseconds down{};
  Nanoseconds shift{};
  Nanoseconds takes{std::chrono::milliseconds(1)};
  bool stalls = false;

  [[nodiscard]] bool passes(SteadyTime at) const {
    return down.count() == 0 || (at.time_since_epoch() + shift) % (up + down) < up;
  }
};

// What a probe requests, as the command of an exec ("probe WORDS") or as a path ("/probe/WORDS").
struct ProbeWords {
  std::string container{};
  std::string type{};  // startup, readiness, liveness
  ProbeScript script{};
};
[[nodiscard]] std::string write_probe(const ProbeWords& words);
[[nodiscard]] std::optional<ProbeWords> read_probe(std::string_view text);
[[nodiscard]] std::optional<ProbeWords> read_probe(const std::vector<std::string>& command);
// Reduced to what fits in a port number: whole seconds, and only containers called main0 … side2.
[[nodiscard]] ProbeWords fit_for_port(ProbeWords words);
[[nodiscard]] std::uint16_t write_probe_port(const ProbeWords& words);
[[nodiscard]] std::optional<ProbeWords> read_probe_port(std::uint16_t port);

}  // namespace berth::simulation
