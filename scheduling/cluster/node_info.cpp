// SPDX-License-Identifier: Apache-2.0

#include "scheduling/cluster/node_info.hpp"

#include <vector>

#include "base/assertion.hpp"
#include "base/wrapping.hpp"

namespace berth::scheduling {

void NodeUsage::add(const PodInfo& pod) {
  requested += pod.requests;
  nonzero_milli_cpu = wrapping_sum(nonzero_milli_cpu, pod.nonzero_milli_cpu);
  nonzero_memory = wrapping_sum(nonzero_memory, pod.nonzero_memory);
  ++pods;
  ports.insert(ports.end(), pod.ports.begin(), pod.ports.end());
}

void NodeUsage::remove(const PodInfo& pod) {
  assert_that(pods > 0, "a pod leaves a node that it is on", pod.key);
  requested -= pod.requests;
  nonzero_milli_cpu = wrapping_difference(nonzero_milli_cpu, pod.nonzero_milli_cpu);
  nonzero_memory = wrapping_difference(nonzero_memory, pod.nonzero_memory);
  --pods;
}

}  // namespace berth::scheduling
