// SPDX-License-Identifier: Apache-2.0

#include "api/pod_resources.hpp"

#include <algorithm>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace berth::api {

namespace {

enum class Side : std::uint8_t { kRequests, kLimits };

// The rule for a pod's amounts (`Amounts`) is the same for whole lists and for a single resource.
// The latter needs no lists: a ranking of pods asks each pod for one resource.
struct AllResources {
  using Amount = ResourceList;

  [[nodiscard]] static const ResourceList& of(const ResourceList& list) { return list; }
};

struct OneResource {
  using Amount = std::optional<Quantity>;

  [[nodiscard]] Amount of(const ResourceList& list) const {
    const auto entry = list.find(name);
    return entry == list.end() ? Amount() : entry->second;
  }

  const std::string& name;
};

void add(std::optional<Quantity>& sum, const std::optional<Quantity>& more) {
  if (!sum)
    sum = more;
  else if (more)
    *sum += *more;
}

void raise(std::optional<Quantity>& most, const std::optional<Quantity>& other) {
  if (other && (!most || *other > *most)) most = other;
}

void complete(std::optional<Quantity>& amount, const std::optional<Quantity>& missing) {
  if (!amount) amount = missing;
}

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

void complete(ResourceList& amounts, const ResourceList& missing) {
  amounts.insert(missing.begin(), missing.end());  // keeps existing entries
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

// The amounts that count for one container: its spec's, or the maximum of these and those in
// effect.
template <class Resources>
class Amounts {
 public:
  using Amount = typename Resources::Amount;

  Amounts(const Pod& pod, Side side, const PodResourceOptions& options, Resources resources)
      : pod_(pod),
        side_(side),
        options_(options),
        infeasible_(options.use_status && resize_is_infeasible(pod)),
        resources_(resources) {}

  [[nodiscard]] Amount sum() const {
    Amount total;
    for (const Container& container : pod_.spec.containers) {
      add(total, of(container, pod_.status.containerStatuses));
    }
    Amount sidecars;
    Amount peak;
    for (const Container& container : pod_.spec.initContainers) {
      if (is_sidecar(container)) {
        const Amount own = of(container, pod_.status.initContainerStatuses);
        add(total, own);
        add(sidecars, own);
        raise(peak, sidecars);
      } else {
        Amount together = completed(asked(container.resources));
        add(together, sidecars);
        raise(peak, together);
      }
    }
    raise(total, peak);
    return total;
  }

 private:
  [[nodiscard]] Amount asked(const ResourceRequirements& resources) const {
    return resources_.of(side_of(resources, side_));
  }

  [[nodiscard]] Amount of(const Container& container,
                          const std::vector<ContainerStatus>& statuses) const {
    return completed(charged(container, statuses));
  }

  [[nodiscard]] Amount charged(const Container& container,
                               const std::vector<ContainerStatus>& statuses) const {
    if (!options_.use_status) return asked(container.resources);
    const auto status =
        std::find_if(statuses.begin(), statuses.end(),
                     [&](const ContainerStatus& one) { return one.name == container.name; });
    if (status == statuses.end() || !status->resources) return asked(container.resources);
    Amount most = asked(*status->resources);
    if (side_ == Side::kRequests) raise(most, resources_.of(status->allocatedResources));
    if (!infeasible_) raise(most, asked(container.resources));
    return most;
  }

  [[nodiscard]] Amount completed(Amount amount) const {
    if (side_ == Side::kRequests) complete(amount, resources_.of(options_.missing_requests));
    return amount;
  }

  const Pod& pod_;
  Side side_;
  const PodResourceOptions& options_;
  bool infeasible_;
  Resources resources_;
};

ResourceList pod_amounts(const Pod& pod, Side side, const PodResourceOptions& options) {
  ResourceList total = Amounts(pod, side, options, AllResources()).sum();
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
  return Amounts(pod, side, {}, AllResources()).sum();
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
  const OneResource one{name};
  const bool pod_level = has_pod_level_resources(pod.spec);
  if (pod_level && !is_pod_level_resource(resource)) return Quantity();
  std::optional<Quantity> request = pod_level ? one.of(pod.spec.resources->requests)
                                              : Amounts(pod, Side::kRequests, {}, one).sum();
  if (!request || request->is_zero()) return Quantity();
  add(request, one.of(pod.spec.overhead));
  return *std::move(request);
}

}  // namespace berth::api
