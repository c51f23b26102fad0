// SPDX-License-Identifier: Apache-2.0

// A probe attempt that changes the container's result, with all input of the judgement
// (probes/probe_state.hpp). A plain value.
#pragma once

#include <string>

#include "api/pod.hpp"
#include "base/ref_or_value.hpp"
#include "probes/probe_state.hpp"

namespace berth::lifecycle {

struct ProbeQuestion {
  RefOrValue<api::Pod> pod{};  // the container's pod; decides nothing
  std::string container{};     // by name; likewise
  probes::ProbeRules rules{};
  probes::ProbeState state{};  // before the attempt
  probes::Attempt answer{};
  probes::Weight weight = probes::Weight::kFull;
  std::string runs{};  // "failed 3 of 3, connect refused after 1 ms"; decides nothing
};

}  // namespace berth::lifecycle
