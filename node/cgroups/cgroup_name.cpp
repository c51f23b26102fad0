// SPDX-License-Identifier: Apache-2.0

#include "node/cgroups/cgroup_name.hpp"

#include <algorithm>

#include "node/path_segment.hpp"

namespace berth::node {
namespace {

constexpr std::string_view kSliceSuffix = ".slice";

// '-' separates the levels of a slice's name, so it cannot stand inside one.
std::string slice_component(std::string component) {
  std::replace(component.begin(), component.end(), '-', '_');
  return component;
}

}  // namespace

CgroupName parse_cgroup_name(std::string_view path) {
  CgroupName name;
  while (!path.empty()) {
    const auto slash = path.find('/');
    const auto component = path.substr(0, slash);
    if (!component.empty()) name.emplace_back(component);
    path.remove_prefix(slash == std::string_view::npos ? path.size() : slash + 1);
  }
  return name;
}

CgroupName kubepods_cgroup(std::string_view root) {
  CgroupName name = parse_cgroup_name(root);
  name.emplace_back("kubepods");
  return name;
}

CgroupName qos_cgroup(std::string_view root, QosClass qos) {
  CgroupName name = kubepods_cgroup(root);
  if (qos == QosClass::kBurstable) name.emplace_back("burstable");
  if (qos == QosClass::kBestEffort) name.emplace_back("besteffort");
  return name;
}

CgroupName pod_cgroup(std::string_view root, const api::Pod& pod) {
  CgroupName name = qos_cgroup(root, qos_class(pod));
  name.push_back("pod" + PathSegment(pod.metadata.uid).str());
  return name;
}

std::string cgroupfs_path(const CgroupName& name) {
  std::string path;
  for (const auto& component : name) path += "/" + component;
  return path.empty() ? "/" : path;
}

CgroupName slice_names(const CgroupName& name) {
  CgroupName slices;
  std::string slice;
  for (const auto& component : name) {
    if (!slice.empty()) slice += "-";
    slice += slice_component(component);
    slices.push_back(slice + std::string(kSliceSuffix));
  }
  return slices;
}

std::optional<std::string> slice_component_below(const CgroupName& above, std::string_view slice) {
  std::string parent;
  for (const auto& component : above) parent += slice_component(component) + "-";
  if (!slice.starts_with(parent) || !slice.ends_with(kSliceSuffix)) return std::nullopt;
  slice.remove_prefix(parent.size());
  slice.remove_suffix(kSliceSuffix.size());
  if (slice.empty() || slice.find('-') != std::string_view::npos) return std::nullopt;
  std::string component(slice);
  std::replace(component.begin(), component.end(), '_', '-');
  return component;
}

std::string systemd_path(const CgroupName& name) {
  return cgroupfs_path(slice_names(name));
}

std::string cgroup_path(const CgroupName& name, CgroupDriver driver) {
  return driver == CgroupDriver::kSystemd ? systemd_path(name) : cgroupfs_path(name);
}

std::string sandbox_cgroup_parent(const NodeConfig& config, const api::Pod& pod) {
  if (!config.cgroups_per_qos) return "";
  return cgroup_path(pod_cgroup(config.cgroup_root, pod), config.cgroup_driver);
}

}  // namespace berth::node
