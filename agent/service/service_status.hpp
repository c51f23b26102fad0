// SPDX-License-Identifier: Apache-2.0

// What the status line of the service is made of: pods, counted by what they do, and how near the
// node's memory is to its eviction threshold. Pure.
#pragma once

#include <string>
#include <vector>

#include "eviction/pressure.hpp"
#include "lifecycle/pod_events.hpp"
#include "systemd/status_line.hpp"

namespace berth::agent {

struct ServiceFacts {
  std::vector<std::string> waits_for{};
  std::vector<lifecycle::PodPtr> pods{};                // those shown
  std::vector<eviction::JudgedThreshold> thresholds{};  // as they stood when last measured
  std::vector<std::string> pressure{};                  // conditions of the node that hold
};

// The use of memory moves all the time: its figure follows `shown` (what the line showed last) only
// when it is further away than two percent, so that the line changes when something happened.
[[nodiscard]] systemd::ServiceStatus service_status(const ServiceFacts& facts,
                                                    const systemd::ServiceStatus& shown);

}  // namespace berth::agent
