#include "node/resource_fit.hpp"

#include <algorithm>

#include "api/pod_resources.hpp"

namespace berth::node {
namespace {

std::int64_t units(const api::ResourceList& list, const std::string& name) {
  const auto found = list.find(name);
  if (found == list.end()) return 0;
  return name == "cpu" ? found->second.milli_value() : found->second.value();
}

bool is_basic(const std::string& name) {
  return name == "cpu" || name == "memory" || name == "ephemeral-storage" || name == "pods";
}

// Resources outside Kubernetes' own domain, which device plugins bring.
bool is_extended(const std::string& name) {
  const auto slash = name.find('/');
  if (slash == std::string::npos) return false;
  return !name.substr(0, slash).ends_with("kubernetes.io") && !name.starts_with("requests.");
}

bool is_counted(const std::string& name) {
  return is_extended(name) || name.starts_with("hugepages-") ||
         name.find("kubernetes.io/") != std::string::npos ||
         name.starts_with("attachable-volumes-");
}

}  // namespace

std::vector<Shortage> shortages(const api::Node& node, const std::vector<const api::Pod*>& active,
                                const api::Pod& pod) {
  const auto& allocatable = node.status.allocatable;
  std::vector<Shortage> missing;
  const auto pods = static_cast<std::int64_t>(active.size());
  const std::int64_t allowed = units(allocatable, "pods");
  if (pods + 1 > allowed) {
    missing.push_back({.resource = "pods", .requested = 1, .used = pods, .capacity = allowed});
  }

  const auto requests = api::pod_requests(pod);
  std::vector<std::string> wanted;
  for (const char* name : {"cpu", "memory", "ephemeral-storage"}) {
    if (units(requests, name) > 0) wanted.emplace_back(name);
  }
  for (const auto& [name, amount] : requests) {
    if (is_basic(name) || !is_counted(name) || amount.is_zero()) continue;
    if (is_extended(name) && !allocatable.contains(name)) continue;
    wanted.push_back(name);
  }
  if (wanted.empty()) return missing;

  std::vector<api::ResourceList> taken;
  taken.reserve(active.size());
  for (const api::Pod* other : active) taken.push_back(api::pod_requests(*other));
  for (const auto& name : wanted) {
    std::int64_t used = 0;
    for (const auto& list : taken) used += units(list, name);
    const std::int64_t requested = units(requests, name);
    const std::int64_t capacity = units(allocatable, name);
    if (requested > capacity - used) {
      missing.push_back(
          {.resource = name, .requested = requested, .used = used, .capacity = capacity});
    }
  }
  return missing;
}

}  // namespace berth::node
