// SPDX-License-Identifier: Apache-2.0

// The node's decisions: qos, container_resources, env_expand, container_env, container_gc,
// image_gc.
#include <algorithm>
#include <chrono>
#include <stdexcept>
#include <string>
#include <vector>

#include "lifecycle/status/pod_addresses.hpp"
#include "node/cgroups/cgroup_name.hpp"
#include "node/cgroups/cgroup_values.hpp"
#include "node/cgroups/cpu_shares.hpp"
#include "node/container/container_resources.hpp"
#include "node/container/environment.hpp"
#include "node/container/variable_expansion.hpp"
#include "node/container_gc.hpp"
#include "node/image_gc.hpp"
#include "node/qos.hpp"
#include "tests/conformance/adapter.hpp"
#include "tests/conformance/case_input.hpp"

namespace berth::conformance {
namespace {

using namespace case_input;

json::value or_null(const std::optional<std::int64_t>& value) {
  return value ? json::value(*value) : json::value(nullptr);
}

// The recordings were made with the kubelet's rule.
node::NodeConfig kubelet_config(const json::object& input) {
  node::NodeConfig config;
  config.static_pods_are_critical = true;
  config.cpu_cfs_quota = flag(input, "cpuCFSQuota");
  return config;
}

json::value run_qos(const json::object& input) {
  const auto pod = decoded<api::Pod>(input.at("pod"));
  auto config = kubelet_config(input);
  config.cpu_cfs_quota_period = number(input, "cpuCFSQuotaPeriodUs");
  config.cgroup_root = text(input, "cgroupRoot");
  const auto name = node::pod_cgroup(config.cgroup_root, pod);
  const auto values = node::pod_cgroup_values(config, pod);

  json::object huge_pages;
  for (const auto& [size, limit] : values.hugepage_limits) huge_pages[std::to_string(size)] = limit;
  json::object oom;
  for (const auto* list : {&pod.spec.containers, &pod.spec.initContainers}) {
    for (const auto& container : *list) {
      oom[container.name] =
          node::oom_score_adjust(pod, container, number(input, "nodeMemoryCapacityBytes"), true);
    }
  }
  return json::object{
      {"qosClass", node::to_string(node::qos_class(pod))},
      {"computedQosClass", node::to_string(node::compute_qos_class(pod))},
      {"cgroupName", json::value_from(name)},
      {"cgroupfsPath", node::cgroupfs_path(name)},
      {"systemdPath", node::systemd_path(name)},
      {"cpuShares", or_null(values.cpu_shares)},
      {"cpuQuota", or_null(values.cpu_quota)},
      {"cpuPeriod", or_null(values.cpu_period)},
      {"memoryLimit", or_null(values.memory_limit)},
      {"cpuWeight", node::weight_from_shares(values.cpu_shares.value_or(0))},
      {"hugepageLimits", std::move(huge_pages)},
      {"oomScoreAdj", std::move(oom)},
  };
}

json::object resources_block(const cri::LinuxContainerResources& resources) {
  json::object unified;
  for (const auto& [key, value] : resources.unified) unified[key] = value;
  return {{"cpuPeriod", resources.cpu_period},
          {"cpuQuota", resources.cpu_quota},
          {"cpuShares", resources.cpu_shares},
          {"memoryLimitInBytes", resources.memory_limit_in_bytes},
          {"oomScoreAdj", resources.oom_score_adj},
          {"memorySwapLimitInBytes", resources.memory_swap_limit_in_bytes},
          {"unified", std::move(unified)}};
}

json::value run_container_resources(const json::object& input) {
  const auto pod = decoded<api::Pod>(input.at("pod"));
  auto config = kubelet_config(input);
  config.memory_swap_behavior = text(input, "memorySwapBehavior");
  config.single_process_oom_kill = flag(input, "singleProcessOOMKill");
  node::NodeFacts facts;
  facts.memory = number(input, "nodeMemoryCapacityBytes");
  facts.swap = number(input, "nodeSwapCapacityBytes");
  facts.swap_controller_available = flag(input, "swapControllerAvailable");

  json::object containers;
  for (const auto* list : {&pod.spec.containers, &pod.spec.initContainers}) {
    for (const auto& container : *list) {
      containers[container.name] =
          resources_block(node::container_resources(config, facts, pod, container));
    }
  }
  return json::object{
      {"containers", std::move(containers)},
      {"sandboxResources", resources_block(node::sandbox_resources(config, facts, pod))},
      {"sandboxOverhead", resources_block(node::sandbox_overhead(config, facts, pod))},
  };
}

json::value run_env_expand(const json::object& input) {
  node::Variables variables;
  if (const auto* vars = input.if_contains("vars")) {
    for (const auto& [name, value] : vars->as_object()) {
      variables[std::string(name)] = json::value_to<std::string>(value);
    }
  }
  const auto words = strings(input, "input");
  if (text(input, "op") == "command") {
    return json::object{
        {"output", json::value_from(node::expand_command(words, variables).value())}};
  }
  const auto path = node::expand_sub_path(words.at(0), variables);
  if (!path) {
    return json::object{
        {"error", true}, {"message", path.error().message}, {"output", json::array{""}}};
  }
  return json::object{{"error", false}, {"output", json::array{json::string(*path)}}};
}

const api::Container& container_of(const api::Pod& pod, const std::string& name) {
  for (const auto* list : {&pod.spec.containers, &pod.spec.initContainers}) {
    const auto found = std::find_if(list->begin(), list->end(),
                                    [&](const auto& container) { return container.name == name; });
    if (found != list->end()) return *found;
  }
  throw std::runtime_error("no container " + name);
}

json::value run_container_env(const json::object& input) {
  const auto pod = decoded<api::Pod>(input.at("pod"));
  node::EnvironmentSources sources;
  sources.host_ips = strings(input, "hostIPs");
  sources.pod_ips = lifecycle::pod_ips_in_status(
      pod, strings(input, "podIPs"),
      {.host_ips = sources.host_ips, .node_ips = strings(input, "nodeIPs")});
  if (const auto* list = input.if_contains("nodeAllocatable")) {
    sources.allocatable = decoded<api::ResourceList>(*list);
  }
  sources.services = decoded_list<api::Service>(input, "services");
  sources.objects = node::make_objects(decoded_list<api::ConfigMap>(input, "configMaps"),
                                       decoded_list<api::Secret>(input, "secrets"));
  const auto variables =
      node::container_environment(pod, container_of(pod, text(input, "container")), sources);
  if (!variables) return json::object{{"error", true}, {"message", variables.error().message}};
  json::object env;
  for (const auto& [name, value] : *variables) env[name] = value;
  return json::object{{"error", false}, {"env", std::move(env)}};
}

// Ages are seconds before an arbitrary moment.
const WallTime kNow{std::chrono::hours(1'000'000)};

WallTime created(const json::object& item) {
  return kNow - std::chrono::seconds(number(item, "ageSeconds"));
}

cri::ContainerState container_state(const std::string& state) {
  if (state == "created") return cri::ContainerState::kCreated;
  if (state == "running") return cri::ContainerState::kRunning;
  if (state == "exited") return cri::ContainerState::kExited;
  return cri::ContainerState::kUnknown;
}

node::PodContent pod_content(const std::string& state) {
  if (state == "gone") return node::PodContent::kGone;
  if (state == "runtimeRemovable") return node::PodContent::kRuntimeRemovable;
  return node::PodContent::kWanted;
}

template <class Visit>
void for_each_item(const json::object& input, const char* key, Visit&& visit) {
  const auto* list = input.if_contains(key);
  if (list == nullptr) return;
  for (const auto& item : list->as_array()) visit(item.as_object());
}

node::GcInput gc_input(const json::object& input) {
  node::GcInput gc{
      .policy = {.min_age = std::chrono::seconds(number(input, "minAgeSeconds")),
                 .max_per_pod_container =
                     static_cast<std::int32_t>(number(input, "maxPerPodContainer")),
                 .max_containers = static_cast<std::int32_t>(number(input, "maxContainers"))},
      .all_sources_ready = flag(input, "allSourcesReady"),
      .remove_finished_pods = flag(input, "evictNonDeletedPods"),
      .now = kNow,
  };
  for_each_item(input, "pods", [&](const json::object& pod) {
    gc.pods[text(pod, "uid")] = pod_content(text(pod, "state"));
  });
  for_each_item(input, "containers", [&](const json::object& item) {
    gc.containers.push_back({.id = cri::ContainerId(text(item, "id")),
                             .sandbox = cri::SandboxId(text(item, "sandbox")),
                             .pod_uid = text(item, "podUID"),
                             .name = text(item, "name"),
                             .state = container_state(text(item, "state")),
                             .created = created(item)});
  });
  for_each_item(input, "sandboxes", [&](const json::object& item) {
    gc.sandboxes.push_back({.id = cri::SandboxId(text(item, "id")),
                            .pod_uid = text(item, "podUID"),
                            .state = text(item, "state") == "ready" ? cri::SandboxState::kReady
                                                                    : cri::SandboxState::kNotReady,
                            .created = created(item)});
  });
  return gc;
}

template <class Id>
json::array sorted_ids(const std::vector<Id>& ids) {
  std::vector<std::string> names;
  for (const auto& id : ids) names.push_back(id.str());
  std::sort(names.begin(), names.end());
  return json::value_from(names).as_array();
}

json::value run_container_gc(const json::object& input) {
  const node::Garbage garbage = node::find_garbage(gc_input(input));
  const auto sandboxes = sorted_ids(garbage.sandboxes);
  return json::object{{"stoppedContainers", sorted_ids(garbage.containers.stop)},
                      {"removedContainers", sorted_ids(garbage.containers.remove)},
                      {"stoppedSandboxes", sandboxes},
                      {"removedSandboxes", sandboxes}};
}

std::chrono::seconds seconds_of(const json::object& item, const char* key) {
  return std::chrono::seconds(number(item, key));
}

node::ImageGcInput image_gc_input(const json::object& input) {
  const SteadyTime now{std::chrono::hours(1'000'000)};
  node::ImageGcInput gc{
      .cause = text(input, "op") == "deleteUnused" ? node::ImageGcCause::kDiskPressure
                                                   : node::ImageGcCause::kPeriodic,
      .policy = {.high_percent = static_cast<std::int32_t>(number(input, "highThresholdPercent")),
                 .low_percent = static_cast<std::int32_t>(number(input, "lowThresholdPercent")),
                 .min_age = seconds_of(input, "minAgeSeconds"),
                 .max_age = seconds_of(input, "maxAgeSeconds")},
      .file_system = {.capacity = number(input, "capacityBytes"),
                      .available = number(input, "availableBytes")},
      .uptime = seconds_of(input, "agentUptimeSeconds"),
      .now = now,
  };
  for_each_item(input, "images", [&](const json::object& item) {
    node::KnownImage image{.id = text(item, "id"),
                           .bytes = number(item, "sizeBytes"),
                           .first_detected = now - seconds_of(item, "firstDetectedSecondsAgo"),
                           .pinned = flag(item, "pinned"),
                           .in_use = flag(item, "inUse")};
    if (item.contains("lastUsedSecondsAgo"))
      image.last_used = now - seconds_of(item, "lastUsedSecondsAgo");
    gc.images.push_back(std::move(image));
  });
  return gc;
}

json::value run_image_gc(const json::object& input) {
  std::vector<std::string> in_use_by_runtime;
  for_each_item(input, "images", [&](const json::object& item) {
    if (flag(item, "deleteFails")) in_use_by_runtime.push_back(text(item, "id"));
  });
  const node::ImageGcInput gc = image_gc_input(input);
  std::vector<node::ImageRemoval> done;
  json::array attempted;
  json::array removed;
  for (;;) {
    const node::ImageGcStep step = node::next_image_gc_step(gc, done);
    if (!step.remove) {
      json::object out{{"attempted", attempted}, {"removed", removed}};
      out["error"] = step.failure.has_value();
      if (step.failure) out["message"] = step.failure->message;
      return out;
    }
    const std::string& id = step.remove->id;
    const bool fails = std::ranges::find(in_use_by_runtime, id) != in_use_by_runtime.end();
    attempted.emplace_back(id);
    if (!fails) removed.emplace_back(id);
    done.push_back({.id = id, .error = fails ? "in use by runtime" : ""});
  }
}

}  // namespace

std::vector<Kind> node_kinds() {
  return {
      {.name = "qos", .run = run_qos},
      {.name = "container_resources", .run = run_container_resources},
      {.name = "env_expand", .run = run_env_expand},
      {.name = "container_env", .run = run_container_env},
      {.name = "container_gc", .run = run_container_gc},
      {.name = "image_gc", .run = run_image_gc},
  };
}

}  // namespace berth::conformance
