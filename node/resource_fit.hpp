// SPDX-License-Identifier: Apache-2.0

// Whether a node has room for a pod's requests, by the kubelet's rules.
//
// Pure.
#pragma once

#include <vector>

#include "api/node.hpp"
#include "api/pod.hpp"
#include "scheduling/predicates/resource_fit.hpp"

namespace berth::node {

// Extended resources that the node does not know are ignored.
[[nodiscard]] std::vector<scheduling::Shortage> shortages(
    const api::Node& node, const std::vector<const api::Pod*>& active, const api::Pod& pod);

}  // namespace berth::node
