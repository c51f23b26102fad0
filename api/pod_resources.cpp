// SPDX-License-Identifier: Apache-2.0

#include "api/pod_resources.hpp"

#include <algorithm>

namespace berth::api {

namespace {

enum class Side : std::uint8_t { kRequests, kLimits };

void add(ResourceList& sum, const ResourceList& more) {
  for (const auto& [name, amount] : more) {
    const auto [entry, fresh] = sum.emplace(name, amount);
    if (!fresh) entry->second += amount;
  }
}

void raise(ResourceList& most, const ResourceList& other) {
  for (const auto& [name, amount] : other) {
    const auto [entry, fresh] = most.emplace(name, amount);
    if (!fresh && amount > entry->second) entry->second = amount;
  }
}

const ResourceList& side_of(const ResourceRequirements& resources, Side side) {
  return side == Side::kRequests ? resources.requests : resources.limits;
}

// A resize that can never be granted: the spec's requests are ignored then.
bool resize_is_infeasible(const Pod& pod) {
  for (const PodCondition& condition : pod.status.conditions) {
    if (condition.type == "PodResizePending") return condition.reason == "Infeasible";
  }
  return false;
}

// The amounts that count for one container: its spec, or the maximum with what is in effect.
class Amounts {
 public:
  Amounts(const Pod& pod, Side side, const PodResourceOptions& options)
      : pod_(pod), side_(side), options_(options), infeasible_(resize_is_infeasible(pod)) {}

  [[nodiscard]] ResourceList of(const Container& container,
                                const std::vector<ContainerStatus>& statuses) const {
    return completed(charged(container, statuses));
  }

  [[nodiscard]] ResourceList charged(const Container& container,
                                     const std::vector<ContainerStatus>& statuses) const {
    const ResourceList& asked = side_of(container.resources, side_);
    if (!options_.use_status) return asked;
    const auto status =
        std::find_if(statuses.begin(), statuses.end(),
                     [&](const ContainerStatus& one) { return one.name == container.name; });
    if (status == statuses.end() || !status->resources) return asked;
    ResourceList most = side_of(*status->resources, side_);
    if (side_ == Side::kRequests) raise(most, status->allocatedResources);
    if (!infeasible_) raise(most, asked);
    return most;
  }

  [[nodiscard]] ResourceList sum() const {
    ResourceList total;
    for (const Container& container : pod_.spec.containers) {
      add(total, of(container, pod_.status.containerStatuses));
    }
    ResourceList sidecars;
    ResourceList peak;
    for (const Container& container : pod_.spec.initContainers) {
      if (is_sidecar(container)) {
        const ResourceList own = of(container, pod_.status.initContainerStatuses);
        add(total, own);
        add(sidecars, own);
        raise(peak, sidecars);
      } else {
        ResourceList together = completed(side_of(container.resources, side_));
        add(together, sidecars);
        raise(peak, together);
      }
    }
    raise(total, peak);
    return total;
  }

 private:
  // emplace keeps existing entries.
  [[nodiscard]] ResourceList completed(ResourceList amounts) const {
    if (side_ == Side::kRequests) {
      for (const auto& [name, amount] : options_.missing_requests) amounts.emplace(name, amount);
    }
    return amounts;
  }

  const Pod& pod_;
  Side side_;
  const PodResourceOptions& options_;
  bool infeasible_;
};

ResourceList pod_amounts(const Pod& pod, Side side, const PodResourceOptions& options) {
  ResourceList total = Amounts(pod, side, options).sum();
  if (!options.skip_pod_level && pod.spec.resources) {
    for (const auto& [name, amount] : side_of(*pod.spec.resources, side)) {
      if (is_pod_level_resource(name)) total[name] = amount;
    }
  }
  return total;
}

ResourceList container_amounts(const PodSpec& spec, Side side) {
  Pod pod;
  pod.spec.containers = spec.containers;
  pod.spec.initContainers = spec.initContainers;
  return Amounts(pod, side, {}).sum();
}

}  // namespace

bool is_sidecar(const Container& container) {
  return container.restartPolicy && *container.restartPolicy == "Always";
}

bool is_pod_level_resource(std::string_view resource) {
  return resource == "cpu" || resource == "memory" || resource.starts_with("hugepages-");
}

bool has_pod_level_resources(const PodSpec& spec) {
  if (!spec.resources) return false;
  const auto any = [](const ResourceList& list) {
    return std::any_of(list.begin(), list.end(),
                       [](const auto& entry) { return is_pod_level_resource(entry.first); });
  };
  return any(spec.resources->requests) || any(spec.resources->limits);
}

ResourceList pod_requests(const Pod& pod, const PodResourceOptions& options) {
  ResourceList total = pod_amounts(pod, Side::kRequests, options);
  if (!options.exclude_overhead) add(total, pod.spec.overhead);
  return total;
}

ResourceList pod_limits(const Pod& pod, const PodResourceOptions& options) {
  ResourceList total = pod_amounts(pod, Side::kLimits, options);
  if (options.exclude_overhead) return total;
  for (const auto& [name, amount] : pod.spec.overhead) {
    const auto limit = total.find(name);
    if (limit != total.end() && !limit->second.is_zero()) limit->second += amount;
  }
  return total;
}

ResourceList container_requests(const PodSpec& spec) {
  return container_amounts(spec, Side::kRequests);
}

ResourceList container_limits(const PodSpec& spec) {
  return container_amounts(spec, Side::kLimits);
}

Quantity ranked_request(const Pod& pod, std::string_view resource) {
  const std::string name(resource);
  const bool pod_level = has_pod_level_resources(pod.spec);
  if (pod_level && !is_pod_level_resource(resource)) return Quantity();
  const ResourceList requests =
      pod_level ? pod.spec.resources->requests : pod_requests(pod, {.exclude_overhead = true});
  const auto request = requests.find(name);
  if (request == requests.end() || request->second.is_zero()) return Quantity();
  const auto overhead = pod.spec.overhead.find(name);
  return overhead == pod.spec.overhead.end() ? request->second : request->second + overhead->second;
}

}  // namespace berth::api
