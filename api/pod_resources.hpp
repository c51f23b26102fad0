// What a pod as a whole asks for: the sum of its containers, or the peak of its init containers,
// or what is set for the pod itself, plus the overhead of its runtime class.
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
  bool use_status = false;        // what is allocated and in effect counts, not only what is asked
  bool exclude_overhead = false;  // leave spec.overhead out
  bool skip_pod_level = false;    // leave spec.resources out
  // What a container counts that names no request of the resource at all; requests only.
  ResourceList missing_requests{};
};

[[nodiscard]] ResourceList pod_requests(const Pod& pod, const PodResourceOptions& options = {});
[[nodiscard]] ResourceList pod_limits(const Pod& pod, const PodResourceOptions& options = {});

// Of the containers alone, without pod-level values and overhead.
[[nodiscard]] ResourceList container_requests(const PodSpec& spec);
[[nodiscard]] ResourceList container_limits(const PodSpec& spec);

// One resource as eviction ranks pods by it: where pod-level resources are set, only they count,
// so that nothing is requested of what cannot be set there, even if it is named; overhead is added
// to what is asked, and is nothing on its own.
[[nodiscard]] Quantity ranked_request(const Pod& pod, std::string_view resource);

// cpu, memory and huge pages can be set for a whole pod.
[[nodiscard]] bool is_pod_level_resource(std::string_view resource);
[[nodiscard]] bool has_pod_level_resources(const PodSpec& spec);

// Init containers that go on running beside the others.
[[nodiscard]] bool is_sidecar(const Container& container);

}  // namespace berth::api
