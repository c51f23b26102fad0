// SPDX-License-Identifier: Apache-2.0

// The properties of a node itself that do not suit a pod (taints, labels, the name), as clauses,
// with what would have to change.
//
// Pure. Call each function only for a filter that refuses the node.
#pragma once

#include "scheduling/cycle/scheduler.hpp"
#include "scheduling/explain/placement_explanation.hpp"

namespace berth::scheduling {

void explain_cordon(const NodeInfo& node, Refusal& refusal);
void explain_name(const api::Pod& pod, const NodeInfo& node, Refusal& refusal);
void explain_taints(const api::Pod& pod, const NodeInfo& node, Refusal& refusal);
// nodeSelector and required node affinity.
void explain_affinity(const api::Pod& pod, const NodeInfo& node, Refusal& refusal);
// The profile's additional affinity.
void explain_added_affinity(const api::NodeSelector& added, const NodeInfo& node, Refusal& refusal);

// "key=value:Effect".
[[nodiscard]] std::string taint_text(const api::Taint& taint);
// "disktype In (ssd, nvme)".
[[nodiscard]] std::string requirement_text(const api::NodeSelectorRequirement& requirement);

}  // namespace berth::scheduling
