// SPDX-License-Identifier: Apache-2.0

// Values of fieldRef and resourceFieldRef, as text.
//
// Pure. Fails with kInvalid in Kubernetes' words.
#pragma once

#include <string>
#include <vector>

#include "api/pod.hpp"
#include "base/result.hpp"

namespace berth::node {

struct FieldSources {
  std::vector<std::string> pod_ips{};
  std::vector<std::string> host_ips{};
};

// For an environment variable: metadata.*, spec.nodeName, spec.serviceAccountName, status.hostIP,
// hostIPs, podIP, podIPs.
[[nodiscard]] Result<std::string> field_value(const api::Pod& pod,
                                              const api::ObjectFieldSelector& selector,
                                              const FieldSources& sources);

// ceil(amount / divisor). Missing limits default to the pod's, then to `allocatable`. `own`: the
// container whose variable it is; null for a volume. As in the kubelet, init containers that a
// variable names (even their own) have no default.
[[nodiscard]] Result<std::string> resource_value(const api::Pod& pod, const api::Container* own,
                                                 const api::ResourceFieldSelector& selector,
                                                 const api::ResourceList& allocatable);

}  // namespace berth::node
