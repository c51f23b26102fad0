// SPDX-License-Identifier: Apache-2.0

// A container's end as a line of the journal: how it ended, after how long, and whether somebody
// has to know. Pure.
#pragma once

#include <string>
#include <string_view>

#include "base/log.hpp"
#include "cri/types.hpp"

namespace berth::lifecycle {

struct ContainerEnded {
  const cri::ContainerStatus& status;
  std::string who{};     // "container app"
  bool ordered = false;  // it was being stopped
};

struct ExitLine {
  LogLevel level = LogLevel::kInfo;
  std::string_view event{};  // "ContainerExited"; "OOMKilled", in Kubernetes' word
  std::string message{};

  bool operator==(const ExitLine&) const = default;
};

// A warning, if it failed by itself or for want of memory.
[[nodiscard]] ExitLine exit_line(const ContainerEnded& end);

}  // namespace berth::lifecycle
