// SPDX-License-Identifier: Apache-2.0

#include <algorithm>

#include <fmt/format.h>

#include "node/container/container_config.hpp"
#include "node/pod_paths.hpp"

namespace berth::node {
namespace {

cri::Propagation propagation(const std::optional<std::string>& mode) {
  if (mode == "HostToContainer") return cri::Propagation::kHostToContainer;
  if (mode == "Bidirectional") return cri::Propagation::kBidirectional;
  return cri::Propagation::kPrivate;
}

// The host path of a volume's files.
Result<std::string> volume_path(const NodeView& node, const api::Pod& pod,
                                const api::Volume& volume) {
  if (volume.hostPath) return volume.hostPath->path;
  auto path = volume_directory(node.config.paths, pod.metadata.uid, volume);
  if (!path.empty()) return path;
  return fail(ErrorCode::kInvalid, fmt::format("volume \"{}\": volumes of this kind are not "
                                               "supported",
                                               volume.name));
}

// Containers may not change volumes that the node fills.
bool is_read_only(const api::Volume& volume) {
  return volume.configMap || volume.secret || volume.downwardAPI || volume.projected;
}

// In the kubelet's words.
Result<bool> recursive_read_only(const api::VolumeMount& mount, bool supported) {
  const std::string mode = mount.recursiveReadOnly.value_or("Disabled");
  if (mode == "Disabled") return false;
  const auto refused = [&mount](std::string_view why) {
    return fail(ErrorCode::kInvalid,
                fmt::format("volume \"{}\" requested recursive read-only mode, but it is {}",
                            mount.name, why));
  };
  if (!mount.readOnly) return refused("not read-only");
  const std::string propagation = mount.mountPropagation.value_or("None");
  if (propagation != "None") {
    return refused(fmt::format("not compatible with propagation \"{}\"", propagation));
  }
  if (mode == "IfPossible") return supported;
  if (mode != "Enabled") {
    return fail(ErrorCode::kInvalid, fmt::format("unknown recursive read-only mode \"{}\"", mode));
  }
  if (!supported) return refused("not supported by the runtime");
  return true;
}

Result<cri::Mount> volume_mount(const NodeView& node, const api::Pod& pod,
                                const api::Container& container, std::size_t index,
                                const ContainerRequest& request) {
  const api::VolumeMount& mount = container.volumeMounts[index];
  const auto& volumes = pod.spec.volumes;
  const auto volume = std::find_if(volumes.begin(), volumes.end(), [&](const api::Volume& known) {
    return known.name == mount.name;
  });
  if (volume == volumes.end()) {
    return fail(ErrorCode::kInvalid,
                fmt::format("cannot find volume \"{}\" to mount into container \"{}\"", mount.name,
                            container.name));
  }
  auto path = volume_path(node, pod, *volume);
  if (!path) return fail(path.error());
  if (!mount.subPath.empty() || !mount.subPathExpr.empty()) {
    const auto part = request.sub_paths.find(index);
    if (part == request.sub_paths.end()) {
      return fail(ErrorCode::kInvalid,
                  fmt::format("failed to prepare subPath for volumeMount \"{}\" of container "
                              "\"{}\"",
                              mount.name, container.name));
    }
    path = part->second;
  }
  auto recursive = recursive_read_only(mount, request.recursive_read_only);
  if (!recursive) return fail(recursive.error());
  return cri::Mount{
      .container_path = mount.mountPath.starts_with('/') ? mount.mountPath : "/" + mount.mountPath,
      .host_path = std::move(*path),
      .readonly = mount.readOnly || is_read_only(*volume),
      .selinux_relabel = node.facts.confinement.selinux && !volume->hostPath,
      .propagation = propagation(mount.mountPropagation),
      .recursive_read_only = *recursive};
}

}  // namespace

Result<std::vector<cri::Mount>> container_mounts(const NodeView& node, const api::Pod& pod,
                                                 const api::Container& container,
                                                 const ContainerRequest& request) {
  std::vector<cri::Mount> mounts;
  for (std::size_t i = 0; i < container.volumeMounts.size(); ++i) {
    auto made = volume_mount(node, pod, container, i, request);
    if (!made) return fail(made.error());
    mounts.push_back(std::move(*made));
  }
  if (!request.files.etc_hosts.empty()) {
    mounts.push_back({.container_path = "/etc/hosts",
                      .host_path = request.files.etc_hosts,
                      .selinux_relabel = node.facts.confinement.selinux});
  }
  if (!request.files.termination_log.empty() && !container.terminationMessagePath.empty()) {
    mounts.push_back({.container_path = container.terminationMessagePath,
                      .host_path = request.files.termination_log,
                      .selinux_relabel = node.facts.confinement.selinux});
  }
  return mounts;
}

}  // namespace berth::node
