// SPDX-License-Identifier: Apache-2.0

#include "agent/eviction/pod_places.hpp"

#include "node/cgroups/cgroup_name.hpp"
#include "node/pod_paths.hpp"

namespace berth::agent {
namespace {

// "containerd://<id>", as a status shows it.
std::string without_scheme(const std::string& id) {
  const auto end = id.find("://");
  return end == std::string::npos ? id : id.substr(end + 3);
}

void add_shown(PodPlaces& places, const std::vector<api::ContainerStatus>& statuses) {
  for (const api::ContainerStatus& status : statuses) {
    const std::string id = without_scheme(status.containerID);
    if (status.state.running && !id.empty()) places.running[id] = status.name;
    for (const api::ContainerState* state : {&status.state, &status.lastState})
      if (state->terminated) places.ended.insert(without_scheme(state->terminated->containerID));
  }
}

}  // namespace

bool is_local_ephemeral(const api::Volume& volume) {
  const bool on_disk = volume.emptyDir && volume.emptyDir->medium.empty();
  return on_disk || volume.configMap || volume.gitRepo;
}

PodPlaces pod_places(const node::NodeConfig& config, const api::Pod& pod) {
  const std::string& uid = pod.metadata.uid;
  PodPlaces places{.uid = uid, .etc_hosts = node::etc_hosts_path(config.paths, uid)};
  if (config.cgroups_per_qos)
    places.cgroup =
        node::cgroup_path(node::pod_cgroup(config.cgroup_root, pod), config.cgroup_driver);
  for (const api::Volume& volume : pod.spec.volumes)
    if (volume.emptyDir || volume.configMap)
      places.volumes.push_back({volume.name, node::volume_directory(config.paths, uid, volume)});
  const std::string logs = node::pod_log_directory(config.paths, pod);
  for (const auto* list : {&pod.spec.initContainers, &pod.spec.containers})
    for (const api::Container& container : *list) {
      places.logs.push_back({container.name, logs + "/" + container.name});
      if (container.lifecycle && container.lifecycle->postStart)
        places.with_post_start.insert(container.name);
    }
  add_shown(places, pod.status.initContainerStatuses);
  add_shown(places, pod.status.containerStatuses);
  return places;
}

}  // namespace berth::agent
