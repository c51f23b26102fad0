// SPDX-License-Identifier: Apache-2.0

#include "node/resource_fit.hpp"

#include "api/pod_resources.hpp"

namespace berth::node {

std::vector<scheduling::Shortage> shortages(const api::Node& node,
                                            const std::vector<const api::Pod*>& active,
                                            const api::Pod& pod) {
  const auto allocatable = scheduling::amounts_of(node.status.allocatable);
  auto requested = scheduling::amounts_of(api::pod_requests(pod));
  std::erase_if(requested.scalars, [&](const scheduling::ScalarAmount& scalar) {
    return scheduling::is_extended_resource(scalar.name) && !allocatable.has_scalar(scalar.name);
  });
  scheduling::ResourceAmounts used;
  for (const api::Pod* other : active) used += scheduling::amounts_of(api::pod_requests(*other));
  return scheduling::shortages(requested,
                               {.allocatable = allocatable,
                                .used = used,
                                .allowed_pods = scheduling::allowed_pods(node.status.allocatable),
                                .pods = static_cast<std::int64_t>(active.size())});
}

}  // namespace berth::node
