// Whether what a pod asks for is still free on its node, as the kubelet counts.
//
// Pure.
#pragma once

#include <vector>

#include "api/node.hpp"
#include "api/pod.hpp"
#include "scheduling/predicates/resource_fit.hpp"

namespace berth::node {

// Extended resources that the node does not know are not its business and are left out.
[[nodiscard]] std::vector<scheduling::Shortage> shortages(
    const api::Node& node, const std::vector<const api::Pod*>& active, const api::Pod& pod);

}  // namespace berth::node
