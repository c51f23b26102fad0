// SPDX-License-Identifier: Apache-2.0

// A pod as `describe pod` prints it: kubectl's sections in kubectl's order, then what only berth
// knows: problems of the manifest, and the decisions with their reasons. Pure.
#pragma once

#include <string>
#include <vector>

#include "api/event.hpp"
#include "api/pod.hpp"
#include "base/clock_types.hpp"
#include "ctl/probe_row.hpp"

namespace berth::ctl {

struct DescribedDecision {
  std::string time{};
  std::string container{};
  std::string action{};
  std::string reason{};
};

struct PodStory {
  api::Pod pod{};
  std::vector<ShownProbe> probes{};
  std::vector<api::Event> events{};
  std::vector<DescribedDecision> decisions{};
  std::vector<std::string> problems{};  // "web.yaml:7:3: spec.containers[0].image: ..."
  std::string manifest_file{};
  std::string refused_today{};  // why it would not be admitted now; empty if it would
};

[[nodiscard]] std::string describe_pod(const PodStory& story, WallTime now);

}  // namespace berth::ctl
