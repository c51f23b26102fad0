// SPDX-License-Identifier: Apache-2.0

// Stop signals: the API's names and CRI's numbers.
//
// CRI's enum Signal is sent as a plain number, because its members' names are macros of <signal.h>
// (reference: runtime.v1.Signal). Pure.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace berth::cri {

// In the order of CRI's enum: SIGABRT is 1. SIGRTMIN+1 to +15, SIGRTMAX-14 to -1 and SIGRTMAX
// follow.
inline constexpr std::array<std::string_view, 35> kNamedSignals = {
    "SIGABRT", "SIGALRM", "SIGBUS",    "SIGCHLD",  "SIGCLD",  "SIGCONT",   "SIGFPE",
    "SIGHUP",  "SIGILL",  "SIGINT",    "SIGIO",    "SIGIOT",  "SIGKILL",   "SIGPIPE",
    "SIGPOLL", "SIGPROF", "SIGPWR",    "SIGQUIT",  "SIGSEGV", "SIGSTKFLT", "SIGSTOP",
    "SIGSYS",  "SIGTERM", "SIGTRAP",   "SIGTSTP",  "SIGTTIN", "SIGTTOU",   "SIGURG",
    "SIGUSR1", "SIGUSR2", "SIGVTALRM", "SIGWINCH", "SIGXCPU", "SIGXFSZ",   "SIGRTMIN"};
inline constexpr std::int32_t kSigRtMin = 35;
inline constexpr std::int32_t kSigRtMinPlus15 = 50;
inline constexpr std::int32_t kSigRtMax = 65;

// `std::nullopt` for the runtime's default (0) and for numbers without a name.
[[nodiscard]] inline std::optional<std::string> signal_name(std::int32_t number) {
  if (number <= 0 || number > kSigRtMax) return std::nullopt;
  if (number <= kSigRtMin) return std::string(kNamedSignals[static_cast<std::size_t>(number) - 1]);
  if (number == kSigRtMax) return "SIGRTMAX";
  if (number <= kSigRtMinPlus15) return "SIGRTMIN+" + std::to_string(number - kSigRtMin);
  return "SIGRTMAX-" + std::to_string(kSigRtMax - number);
}

// 0, the runtime's default, for a name that CRI does not know.
[[nodiscard]] inline std::int32_t signal_number(std::string_view name) {
  for (std::int32_t number = 1; number <= kSigRtMax; ++number)
    if (signal_name(number) == name) return number;
  return 0;
}

}  // namespace berth::cri
