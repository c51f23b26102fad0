// Whether what a pod asks for is still free on its node.
//
// Pure. cpu in thousandths, everything else whole; a pod that asks for nothing fits a node that is
// full of others, as long as it takes one more pod.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "api/node.hpp"
#include "api/pod.hpp"

namespace berth::node {

struct Shortage {
  std::string resource{};
  std::int64_t requested = 0;
  std::int64_t used = 0;
  std::int64_t capacity = 0;

  bool operator==(const Shortage&) const = default;
};

// In the order pods, cpu, memory, ephemeral-storage, others by name. Extended resources that the
// node does not know are not its business and are left out.
[[nodiscard]] std::vector<Shortage> shortages(const api::Node& node,
                                              const std::vector<const api::Pod*>& active,
                                              const api::Pod& pod);

}  // namespace berth::node
