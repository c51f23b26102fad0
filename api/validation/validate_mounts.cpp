// SPDX-License-Identifier: Apache-2.0

// Where a container sees its volumes: volumeMounts and volumeDevices.
#include <algorithm>

#include "api/validation/validate_pod_parts.hpp"
#include "api/validation/validate_values.hpp"

namespace berth::api {

namespace {

bool is_privileged(const Container& container) {
  return container.securityContext && container.securityContext->privileged.value_or(false);
}

// The paths of these errors lack the index of the mount.
void check_propagation(FieldErrors& errors, const FieldPath& path, const VolumeMount& mount,
                       bool privileged) {
  if (!mount.mountPropagation) return;
  check_one_of(errors, path / "mountPropagation", *mount.mountPropagation,
               {"Bidirectional", "HostToContainer", "None"});
  if (*mount.mountPropagation == "Bidirectional" && !privileged) {
    errors.push_back(forbidden(path / "mountPropagation",
                               "Bidirectional mount propagation is available only to privileged "
                               "containers"));
  }
}

void check_recursive_read_only(FieldErrors& errors, const FieldPath& path,
                               const VolumeMount& mount) {
  if (!mount.recursiveReadOnly) return;
  const FieldPath at = path / "recursiveReadOnly";
  const std::string& mode = *mount.recursiveReadOnly;
  check_one_of(errors, at, mode, {"Disabled", "Enabled", "IfPossible"});
  if (mode != "Enabled" && mode != "IfPossible") return;
  if (!mount.readOnly) {
    errors.push_back(forbidden(at, "may only be specified when readOnly is true"));
  }
  if (mount.mountPropagation.value_or("None") != "None") {
    errors.push_back(
        forbidden(at, "may only be specified when mountPropagation is None or not specified"));
  }
}

void check_sub_path(FieldErrors& errors, const FieldPath& path, std::size_t i,
                    const VolumeMount& mount) {
  check_descending_path(errors, path / "subPath", mount.subPath);
  if (mount.subPathExpr.empty()) return;
  if (!mount.subPath.empty()) {
    errors.push_back(invalid(path / i / "subPathExpr", quoted(mount.subPathExpr),
                             "subPathExpr and subPath are mutually exclusive"));
  }
  check_descending_path(errors, path / "subPathExpr", mount.subPathExpr);
}

}  // namespace

void check_mounts(FieldErrors& errors, const FieldPath& path, const Container& container,
                  const ValidVolumes& volumes) {
  std::set<std::string> paths;
  for (std::size_t i = 0; i < container.volumeMounts.size(); ++i) {
    const VolumeMount& mount = container.volumeMounts[i];
    const FieldPath at = path / i;
    require(errors, at / "name", mount.name);
    if (!volumes.contains(mount.name)) {
      errors.push_back(not_found(at / "name", quoted(mount.name)));
    }
    require(errors, at / "mountPath", mount.mountPath);
    if (!paths.insert(mount.mountPath).second) {
      errors.push_back(invalid(at / "mountPath", quoted(mount.mountPath), "must be unique"));
    }
    const auto& devices = container.volumeDevices;
    if (std::any_of(devices.begin(), devices.end(),
                    [&](const VolumeDevice& device) { return device.name == mount.name; })) {
      errors.push_back(
          invalid(at / "name", quoted(mount.name), "must not already exist in volumeDevices"));
    }
    if (std::any_of(devices.begin(), devices.end(), [&](const VolumeDevice& device) {
          return device.devicePath == mount.mountPath;
        })) {
      errors.push_back(invalid(at / "mountPath", quoted(mount.mountPath),
                               "must not already exist as a path in volumeDevices"));
    }
    check_sub_path(errors, path, i, mount);
    check_propagation(errors, path, mount, is_privileged(container));
    check_recursive_read_only(errors, path, mount);
  }
}

void check_devices(FieldErrors& errors, const FieldPath& path, const Container& container,
                   const ValidVolumes& volumes) {
  std::set<std::string> names;
  std::set<std::string> paths;
  for (std::size_t i = 0; i < container.volumeDevices.size(); ++i) {
    const VolumeDevice& device = container.volumeDevices[i];
    const FieldPath name = path / i / "name";
    const FieldPath at = path / i / "devicePath";
    const auto volume = volumes.find(device.name);
    require(errors, name, device.name);
    if (names.contains(device.name)) {
      errors.push_back(invalid(name, quoted(device.name), "must be unique"));
    }
    if (volume == volumes.end()) {
      errors.push_back(not_found(name, quoted(device.name)));
    } else if (!volume->second->persistentVolumeClaim && !volume->second->ephemeral) {
      errors.push_back(invalid(name, quoted(device.name),
                               "can only use volume source type of PersistentVolumeClaim or "
                               "Ephemeral for block mode"));
    }
    require(errors, at, device.devicePath);
    if (paths.contains(device.devicePath)) {
      errors.push_back(invalid(at, quoted(device.devicePath), "must be unique"));
    }
    if (has_backstep(device.devicePath)) {
      errors.push_back(invalid(at, quoted(device.devicePath), "can not contain backsteps ('..')"));
    } else {
      paths.insert(device.devicePath);
    }
    for (const VolumeMount& mount : container.volumeMounts) {
      if (mount.name != device.name) continue;
      errors.push_back(
          invalid(name, quoted(device.name), "must not already exist in volumeMounts"));
      break;
    }
    for (const VolumeMount& mount : container.volumeMounts) {
      if (mount.mountPath != device.devicePath) continue;
      errors.push_back(invalid(at, quoted(device.devicePath),
                               "must not already exist as a path in volumeMounts"));
      break;
    }
    if (!device.name.empty()) names.insert(device.name);
  }
}

}  // namespace berth::api
