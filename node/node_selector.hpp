// Whether a node is one that a pod may be placed on: nodeSelector and required node affinity.
//
// Pure. A term that cannot be parsed matches nothing, the other terms still count; an empty term
// and an empty list match nothing.
#pragma once

#include "api/node.hpp"
#include "api/pod.hpp"

namespace berth::node {

[[nodiscard]] bool matches_node_selector(const api::NodeSelector& selector, const api::Node& node);

// spec.nodeSelector and required node affinity together.
[[nodiscard]] bool matches_node(const api::Pod& pod, const api::Node& node);

}  // namespace berth::node
