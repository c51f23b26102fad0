// SPDX-License-Identifier: Apache-2.0

#include "scheduling/cluster/pod_info.hpp"

namespace berth::scheduling {

std::int32_t priority_of(const api::Pod& pod) {
  return pod.spec.priority.value_or(0);
}

std::string full_name_of(const api::Pod& pod) {
  return pod.metadata.namespace_ + "/" + pod.metadata.name;
}

std::string pod_key(const api::Pod& pod) {
  return pod.metadata.uid.empty() ? full_name_of(pod) : pod.metadata.uid;
}

const api::ResourceList& default_container_requests() {
  // Kubernetes' DefaultMilliCPURequest and DefaultMemoryRequest: 100m and 200 MiB.
  static const api::ResourceList kRequests = {
      {"cpu", api::Quantity::from_milli(100)},
      {"memory", api::Quantity::from_int(std::int64_t{200} * 1024 * 1024)}};
  return kRequests;
}

}  // namespace berth::scheduling
