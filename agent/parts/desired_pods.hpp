// SPDX-License-Identifier: Apache-2.0

// Which pods the node is to run: those of the manifest folder, as far as the node admits them; and
// the disruption budgets that the folder contains.
//
// Loop thread only; everything passed in outlives it.
#pragma once

#include "agent/admission/node_admission.hpp"
#include "agent/parts/process.hpp"
#include "agent/parts/state_files.hpp"
#include "agent/parts/this_node.hpp"
#include "agent/sources/manifest_source.hpp"
#include "scheduling/disruption/budget_book.hpp"

namespace berth::agent {

struct DesiredPods {
  DesiredPods(Process& process, StateFiles& files, EventRecorder& events, const ThisNode& node);
  DesiredPods(const DesiredPods&) = delete;
  DesiredPods& operator=(const DesiredPods&) = delete;
  ~DesiredPods() = default;

  scheduling::BudgetBook budgets{};
  NodeAdmission admission;
  ManifestSource manifests;
};

}  // namespace berth::agent
