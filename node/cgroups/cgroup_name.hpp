// SPDX-License-Identifier: Apache-2.0

// Names and paths of pods' cgroups, for both drivers.
//
// Pure. A name is a list of components ("kubepods", "burstable", "pod<uid>"); it becomes a path of
// plain directories (cgroupfs) or of slices (systemd: each level repeats its parents, joined by
// '-', so '-' inside a component is written '_'). Guaranteed pods are directly below kubepods.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "api/pod.hpp"
#include "node/node_config.hpp"
#include "node/qos.hpp"

namespace berth::node {

using CgroupName = std::vector<std::string>;

// "/a/b" -> {"a", "b"}; "/" and "" -> {}.
[[nodiscard]] CgroupName parse_cgroup_name(std::string_view path);

// kubepods below `root`.
[[nodiscard]] CgroupName kubepods_cgroup(std::string_view root);
// The cgroup that holds the pods of a class: kubepods itself for Guaranteed.
[[nodiscard]] CgroupName qos_cgroup(std::string_view root, QosClass qos);
[[nodiscard]] CgroupName pod_cgroup(std::string_view root, const api::Pod& pod);

// Each level as a slice: {"kubepods.slice", "kubepods-burstable.slice"}.
[[nodiscard]] CgroupName slice_names(const CgroupName& name);
// The reverse for one slice directly below `above`: "pod12-34" for "kubepods-pod12_34.slice". Unset
// if the slice is not directly below.
[[nodiscard]] std::optional<std::string> slice_component_below(const CgroupName& above,
                                                               std::string_view slice);

// "/kubepods/burstable/pod1234"; "/" for the root.
[[nodiscard]] std::string cgroupfs_path(const CgroupName& name);
// "/kubepods.slice/kubepods-burstable.slice/kubepods-burstable-pod1234.slice".
[[nodiscard]] std::string systemd_path(const CgroupName& name);
[[nodiscard]] std::string cgroup_path(const CgroupName& name, CgroupDriver driver);

// A sandbox's cgroup_parent; "" if the node has no pod cgroups.
[[nodiscard]] std::string sandbox_cgroup_parent(const NodeConfig& config, const api::Pod& pod);

}  // namespace berth::node
