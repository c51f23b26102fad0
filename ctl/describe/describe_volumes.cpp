// SPDX-License-Identifier: Apache-2.0

#include "ctl/describe/describe_volumes.hpp"

#include <string>

#include <fmt/format.h>

namespace berth::ctl {
namespace {

std::string word(const std::optional<bool>& value) {
  return value.value_or(false) ? "true" : "false";
}

void describe_downward(DescribeText& out, const api::DownwardAPIVolumeSource& source) {
  out.field("Type", "DownwardAPI (a volume populated by information about the pod)");
  out.enter("Items");
  for (const auto& item : source.items) {
    if (item.fieldRef) out.line(fmt::format("{} -> {}", item.fieldRef->fieldPath, item.path));
    if (item.resourceFieldRef)
      out.line(fmt::format("{} -> {}", item.resourceFieldRef->resource, item.path));
  }
  out.leave();
}

void describe_projected(DescribeText& out, const api::ProjectedVolumeSource& source) {
  out.field("Type", "Projected (a volume that contains injected data from multiple sources)");
  for (const auto& part : source.sources) {
    if (part.secret) {
      out.field("SecretName", part.secret->name);
      out.field("Optional", word(part.secret->optional));
    } else if (part.downwardAPI) {
      out.field("DownwardAPI", "true");
    } else if (part.configMap) {
      out.field("ConfigMapName", part.configMap->name);
      out.field("Optional", word(part.configMap->optional));
    } else if (part.serviceAccountToken) {
      out.field("TokenExpirationSeconds",
                fmt::format("{}", part.serviceAccountToken->expirationSeconds.value_or(0)));
    }
  }
}

void describe_empty_dir(DescribeText& out, const api::EmptyDirVolumeSource& source) {
  out.field("Type", "EmptyDir (a temporary directory that shares a pod's lifetime)");
  out.field("Medium", source.medium);
  const auto& limit = source.sizeLimit;
  out.field("SizeLimit", limit && limit->sign() > 0 ? limit->to_string() : "<unset>");
}

// Kinds that this node supports, and those that people try first; -o yaml shows the others.
void describe_volume(DescribeText& out, const api::Volume& volume) {
  if (volume.hostPath) {
    out.field("Type", "HostPath (bare host directory volume)");
    out.field("Path", volume.hostPath->path);
    out.field("HostPathType", volume.hostPath->type.value_or("<none>"));
  } else if (volume.emptyDir) {
    describe_empty_dir(out, *volume.emptyDir);
  } else if (volume.secret) {
    out.field("Type", "Secret (a volume populated by a Secret)");
    out.field("SecretName", volume.secret->secretName);
    out.field("Optional", word(volume.secret->optional));
  } else if (volume.configMap) {
    out.field("Type", "ConfigMap (a volume populated by a ConfigMap)");
    out.field("Name", volume.configMap->name);
    out.field("Optional", word(volume.configMap->optional));
  } else if (volume.persistentVolumeClaim) {
    out.field("Type",
              "PersistentVolumeClaim (a reference to a PersistentVolumeClaim in the same "
              "namespace)");
    out.field("ClaimName", volume.persistentVolumeClaim->claimName);
    out.field("ReadOnly", volume.persistentVolumeClaim->readOnly ? "true" : "false");
  } else if (volume.downwardAPI) {
    describe_downward(out, *volume.downwardAPI);
  } else if (volume.projected) {
    describe_projected(out, *volume.projected);
  } else if (volume.image) {
    out.field("Type", "Image (a container image or OCI artifact)");
    out.field("Reference", volume.image->reference);
    out.field("PullPolicy", volume.image->pullPolicy);
  } else {
    out.field("Type", "<unknown>; see -o yaml");
  }
}

}  // namespace

void describe_volumes(DescribeText& out, const std::vector<api::Volume>& volumes) {
  if (volumes.empty()) {
    out.field("Volumes", "<none>");
    return;
  }
  out.enter("Volumes");
  for (const auto& volume : volumes) {
    out.enter(volume.name);
    describe_volume(out, volume);
    out.leave();
  }
  out.leave();
}

}  // namespace berth::ctl
