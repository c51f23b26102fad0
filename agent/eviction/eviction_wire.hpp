// SPDX-License-Identifier: Apache-2.0

// Converts what the manager knows to messages of the control API.
//
// Pure.
#pragma once

#include <string>
#include <vector>

#include "agent/eviction/eviction_view.hpp"
#include "control/control.pb.h"
#include "eviction/simulate.hpp"
#include "lifecycle/ledger/ledger.hpp"

namespace berth::agent {

namespace wire = control::v1;

void put(const EvictionView& view, wire::ExplainEvictionsReply& out);

// A record of the kind kLedgerEviction.
void put(const lifecycle::LedgerRecord& record, wire::EvictionEntry& out);

void put(const eviction::Simulation& simulation, wire::SimulateEvictionsReply& out);
// The signals of those thresholds over time, with the thresholds' limits as lines.
void put_series(const eviction::History& history,
                const std::vector<eviction::Threshold>& thresholds,
                wire::SimulateEvictionsReply& out);

// What the pod uses and requests, and its place in each ranking of the view: by resource first,
// then by threshold.
void put(const EvictionView& view, const api::Pod& pod, wire::PodUsage& out);

// A simulated event as a sentence.
[[nodiscard]] std::string simulated_text(const eviction::SimulatedEvent& event);

}  // namespace berth::agent
