// SPDX-License-Identifier: Apache-2.0

// Where to measure a pod's use of disk and memory on this node.
//
// Pure.
#pragma once

#include <map>
#include <set>
#include <string>
#include <vector>

#include "api/pod.hpp"
#include "node/node_config.hpp"

namespace berth::agent {

struct NamedPlace {
  std::string name{};  // of the volume, or the container
  std::string path{};

  bool operator==(const NamedPlace&) const = default;
};

struct PodPlaces {
  std::string uid{};
  std::string cgroup{};  // as cgroupfs_path names it; empty if the node has no pod cgroups
  // Volumes of the kinds that have a directory of their own: emptyDir, configMap, …
  std::vector<NamedPlace> volumes{};
  std::vector<NamedPlace> logs{};  // of each container, init containers and sidecars too
  std::string etc_hosts{};
  // What the status shows of containers: those that run (names by id), and ended instances (ids),
  // which count for nothing, as in the kubelet.
  std::map<std::string, std::string> running{};
  std::set<std::string> ended{};
  // Names: while the hook runs, the status does not show that the container does.
  std::set<std::string> with_post_start{};

  bool operator==(const PodPlaces&) const = default;
};

[[nodiscard]] PodPlaces pod_places(const node::NodeConfig& config, const api::Pod& pod);

// Whether the volume's use counts for the pod: it is on the node's disk, and only this pod's.
[[nodiscard]] bool is_local_ephemeral(const api::Volume& volume);

}  // namespace berth::agent
