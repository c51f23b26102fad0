// SPDX-License-Identifier: Apache-2.0

// The environment of one container.
//
// Pure: everything that it can refer to is passed in. envFrom is evaluated first, then env in order
// (each sees the earlier ones, then the service variables), then the service variables that are not
// set by then. Failures are kInvalid or kNotFound, in Kubernetes' words; the container then waits
// with CreateContainerConfigError.
#pragma once

#include <string>
#include <vector>

#include "api/pod.hpp"
#include "api/service.hpp"
#include "base/result.hpp"
#include "node/container/variable_expansion.hpp"
#include "node/objects.hpp"

namespace berth::node {

struct EnvironmentSources {
  std::vector<std::string> pod_ips{};   // as in the pod's status, primary first
  std::vector<std::string> host_ips{};  // of the node, primary first
  api::ResourceList allocatable{};      // of the node: the default for limits
  std::vector<api::Service> services{};
  ObjectsPtr objects{};  // ConfigMaps and Secrets; null if there are none
};

[[nodiscard]] Result<Variables> container_environment(const api::Pod& pod,
                                                      const api::Container& container,
                                                      const EnvironmentSources& sources);

// The variables for services: <NAME>_SERVICE_HOST and so on.
[[nodiscard]] Variables service_environment(const std::vector<api::Service>& services,
                                            const std::string& pod_namespace,
                                            bool enable_service_links);

}  // namespace berth::node
