// SPDX-License-Identifier: Apache-2.0

// A container's end as a line of the journal: how it ended, after how long, and whether somebody
// has to take notice. Pure.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "base/log.hpp"
#include "cri/types.hpp"
#include "lifecycle/worker/stops/container_stop.hpp"

namespace berth::lifecycle {

// Whether berthd wanted a container's end.
enum class EndWanted : std::uint8_t {
  kNo,           // it ended by itself
  kToBeStopped,  // its stop had begun, or its pod ends, but nothing had reached it yet
  kAskedToStop,  // its preStop hook or its signal had reached it
};

// `stop`: null if the container is not being stopped. A container that turns out to have ended
// before its stop began ended by itself.
[[nodiscard]] EndWanted end_wanted(const cri::ContainerStatus& status, const ContainerStop* stop,
                                   bool pod_ends, const Instant& now);

struct ContainerEnded {
  const cri::ContainerStatus& status;
  std::string who{};  // "container app"
  EndWanted wanted = EndWanted::kNo;
};

struct ExitLine {
  LogLevel level = LogLevel::kInfo;
  std::string_view event{};  // "ContainerExited"; Kubernetes' "OOMKilled"
  std::string message{};

  bool operator==(const ExitLine&) const = default;
};

// A warning if the container failed by itself, or if it ran out of memory, wanted or not.
[[nodiscard]] ExitLine exit_line(const ContainerEnded& end);

}  // namespace berth::lifecycle
