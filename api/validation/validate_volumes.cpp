// SPDX-License-Identifier: Apache-2.0

// Names of volumes, and that each has exactly one source. A volume with any error counts as absent
// for later checks: mounts of it are "Not found", and its name is free for a later volume.
#include "api/validation/validate_pod_parts.hpp"
#include "api/validation/validate_values.hpp"

namespace berth::api {

ValidVolumes check_volumes(FieldErrors& errors, const FieldPath& path, const Pod& pod) {
  ValidVolumes valid;
  std::set<std::string> ephemeral_claims;
  for (const Volume& volume : pod.spec.volumes) {
    if (volume.ephemeral && !volume.name.empty()) {
      ephemeral_claims.insert(pod.metadata.name + "-" + volume.name);
    }
  }
  for (std::size_t i = 0; i < pod.spec.volumes.size(); ++i) {
    const Volume& volume = pod.spec.volumes[i];
    const FieldPath at = path / i;
    FieldErrors found;
    check_volume_source(found, at, volume);
    if (volume.name.empty()) {
      found.push_back(required(at / "name"));
    } else {
      check_text(found, at / "name", volume.name, grammar::dns1123_label);
    }
    if (valid.contains(volume.name)) {
      found.push_back(duplicate(at / "name", quoted(volume.name)));
    }
    if (found.empty()) {
      valid.emplace(volume.name, &volume);
    } else {
      errors.insert(errors.end(), found.begin(), found.end());
    }
    if (volume.persistentVolumeClaim &&
        ephemeral_claims.contains(volume.persistentVolumeClaim->claimName)) {
      errors.push_back(
          invalid(at / "persistentVolumeClaim" / "claimName",
                  quoted(volume.persistentVolumeClaim->claimName),
                  "must not reference a PVC that gets created for an ephemeral volume"));
    }
  }
  return valid;
}

}  // namespace berth::api
