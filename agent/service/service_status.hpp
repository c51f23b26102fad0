// SPDX-License-Identifier: Apache-2.0

// The contents of the service's status line: pods, counted by what they do, and how near the node's
// memory is to its eviction threshold. Pure.
#pragma once

#include <string>
#include <vector>

#include "eviction/pressure.hpp"
#include "lifecycle/pod_events.hpp"
#include "systemd/status_line.hpp"

namespace berth::agent {

struct ServiceFacts {
  std::vector<std::string> waits_for{};
  std::vector<lifecycle::PodPtr> pods{};                // the shown ones
  std::vector<eviction::JudgedThreshold> thresholds{};  // as they stood when last measured
  std::vector<std::string> pressure{};                  // the node's conditions that are True
};

// Memory use changes all the time: its figure stays as in `shown` (the last line) until it differs
// by more than two percent, so that the line changes only when something happened.
[[nodiscard]] systemd::ServiceStatus service_status(const ServiceFacts& facts,
                                                    const systemd::ServiceStatus& shown);

}  // namespace berth::agent
