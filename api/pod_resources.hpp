// SPDX-License-Identifier: Apache-2.0

// What a pod as a whole requests: the sum of its containers, or the peak of its init containers, or
// the pod-level values, plus the overhead of its runtime class.
//
//   regular   = Σ containers (+ all sidecars)
//   init peak = max over init containers in order of (its own + the sidecars started before it)
//   effective = max(regular, init peak), overridden by pod-level values, + overhead
//
// Pure; amounts are exact.
#pragma once

#include <string_view>

#include "api/pod.hpp"

namespace berth::api {

struct PodResourceOptions {
  bool use_status = false;        // count allocated and effective amounts as well as the spec's
  bool exclude_overhead = false;  // ignore spec.overhead
  bool skip_pod_level = false;    // ignore spec.resources
  // Assumed for a container that does not request the resource; requests only.
  ResourceList missing_requests{};
};

[[nodiscard]] ResourceList pod_requests(const Pod& pod, const PodResourceOptions& options = {});
[[nodiscard]] ResourceList pod_limits(const Pod& pod, const PodResourceOptions& options = {});

// The requests of the containers alone, without pod-level values and overhead.
[[nodiscard]] ResourceList container_requests(const PodSpec& spec);
[[nodiscard]] ResourceList container_limits(const PodSpec& spec);

// One resource's request, as eviction ranks pods by it: if pod-level resources are set, only they
// count, so the request is zero for a resource that cannot be set at pod level, even if it is named
// there; overhead is added to an existing request, and is ignored without one.
[[nodiscard]] Quantity ranked_request(const Pod& pod, std::string_view resource);

// cpu, memory and huge pages can be set at pod level.
[[nodiscard]] bool is_pod_level_resource(std::string_view resource);
[[nodiscard]] bool has_pod_level_resources(const PodSpec& spec);

// Whether it is an init container that keeps running beside the main containers.
[[nodiscard]] bool is_sidecar(const Container& container);

}  // namespace berth::api
