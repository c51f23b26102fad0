// SPDX-License-Identifier: Apache-2.0

// References that pods of manifest files may not have, by the kubelet's rule and by berth's own.
#include <algorithm>

#include "api/manifest/static_pod.hpp"
#include "api/used_volumes.hpp"
#include "api/validation/validate_pod_parts.hpp"

namespace berth::api {

namespace {

template <class Test>
bool any_container(const PodSpec& spec, Test test) {
  if (std::any_of(spec.initContainers.begin(), spec.initContainers.end(), test)) return true;
  if (std::any_of(spec.containers.begin(), spec.containers.end(), test)) return true;
  return std::any_of(
      spec.ephemeralContainers.begin(), spec.ephemeralContainers.end(),
      [&](const EphemeralContainer& container) { return test(as_container(container)); });
}

template <class Source>
bool names(const std::optional<Source>& source) {
  return source && !source->name.empty();
}

// Volumes of other kinds with credentials in a secret.
bool volume_uses_secret(const Volume& v) {
  if (v.secret && !v.secret->secretName.empty()) return true;
  if (v.azureFile && !v.azureFile->secretName.empty()) return true;
  if ((v.cephfs && names(v.cephfs->secretRef)) || (v.cinder && names(v.cinder->secretRef)) ||
      (v.flexVolume && names(v.flexVolume->secretRef)) || (v.rbd && names(v.rbd->secretRef)) ||
      (v.scaleIO && names(v.scaleIO->secretRef)) || (v.iscsi && names(v.iscsi->secretRef)) ||
      (v.storageos && names(v.storageos->secretRef)) ||
      (v.csi && names(v.csi->nodePublishSecretRef))) {
    return true;
  }
  return v.projected &&
         std::any_of(v.projected->sources.begin(), v.projected->sources.end(),
                     [](const VolumeProjection& source) { return names(source.secret); });
}

bool volume_uses_config_map(const Volume& v) {
  if (names(v.configMap)) return true;
  return v.projected &&
         std::any_of(v.projected->sources.begin(), v.projected->sources.end(),
                     [](const VolumeProjection& source) { return names(source.configMap); });
}

bool uses_secrets(const PodSpec& spec) {
  const auto container_does = [](const Container& container) {
    return std::any_of(container.envFrom.begin(), container.envFrom.end(),
                       [](const EnvFromSource& source) { return names(source.secretRef); }) ||
           std::any_of(container.env.begin(), container.env.end(), [](const EnvVar& variable) {
             return variable.valueFrom && names(variable.valueFrom->secretKeyRef);
           });
  };
  return std::any_of(spec.imagePullSecrets.begin(), spec.imagePullSecrets.end(),
                     [](const LocalObjectReference& ref) { return !ref.name.empty(); }) ||
         any_container(spec, container_does) ||
         std::any_of(spec.volumes.begin(), spec.volumes.end(), volume_uses_secret);
}

bool uses_config_maps(const PodSpec& spec) {
  const auto container_does = [](const Container& container) {
    return std::any_of(container.envFrom.begin(), container.envFrom.end(),
                       [](const EnvFromSource& source) { return names(source.configMapRef); }) ||
           std::any_of(container.env.begin(), container.env.end(), [](const EnvVar& variable) {
             return variable.valueFrom && names(variable.valueFrom->configMapKeyRef);
           });
  };
  return any_container(spec, container_does) ||
         std::any_of(spec.volumes.begin(), spec.volumes.end(), volume_uses_config_map);
}

std::optional<std::string> volume_refusal(const Volume& volume) {
  const std::string prefix = "static pods may not reference ";
  if (volume.csi) return prefix + "csidrivers (via CSI volumes)";
  if (volume.glusterfs) return prefix + "endpoints (via glusterFS volumes)";
  if (volume.persistentVolumeClaim) return prefix + "persistentvolumeclaims";
  if (volume.ephemeral) return prefix + "persistentvolumeclaims (via ephemeral volumes)";
  if (!volume.projected) return std::nullopt;
  for (const VolumeProjection& source : volume.projected->sources) {
    if (source.serviceAccountToken) return prefix + "serviceaccounts (via projected volumes)";
    if (source.clusterTrustBundle) return prefix + "clustertrustbundles";
    if (source.podCertificate) return prefix + "podcertificates";
    if (!source.secret && !source.configMap && !source.downwardAPI) {
      return "unknown source for projected volume \"" + volume.name + "\"";
    }
  }
  return std::nullopt;
}

void refuse_projected(FieldErrors& errors, const FieldPath& path,
                      const ProjectedVolumeSource& projected) {
  for (std::size_t i = 0; i < projected.sources.size(); ++i) {
    const VolumeProjection& source = projected.sources[i];
    const FieldPath at = path / "sources" / i;
    if (source.serviceAccountToken) {
      errors.push_back(forbidden(at / "serviceAccountToken",
                                 "there are no service account tokens on this node; remove it"));
    }
    if (source.clusterTrustBundle) {
      errors.push_back(forbidden(at / "clusterTrustBundle",
                                 "there are no trust bundles on this node; use a configMap"));
    }
    if (source.podCertificate) {
      errors.push_back(
          forbidden(at / "podCertificate", "there is no signer on this node; use a secret"));
    }
  }
}

void refuse_volume(FieldErrors& errors, const FieldPath& path, const Volume& volume) {
  constexpr std::string_view kNoClaims =
      "there are no persistent volume claims on this node; use hostPath, or emptyDir";
  if (volume.persistentVolumeClaim) {
    errors.push_back(forbidden(path / "persistentVolumeClaim", kNoClaims));
  }
  if (volume.ephemeral) errors.push_back(forbidden(path / "ephemeral", kNoClaims));
  if (volume.csi) {
    errors.push_back(
        forbidden(path / "csi", "there are no CSI drivers on this node; use hostPath"));
  }
  if (volume.glusterfs) {
    errors.push_back(forbidden(path / "glusterfs",
                               "there are no endpoints objects on this node; mount it on the "
                               "host and use hostPath"));
  }
  if (volume.projected) refuse_projected(errors, path / "projected", *volume.projected);
}

}  // namespace

std::optional<std::string> static_pod_refusal(const Pod& pod) {
  const PodSpec& spec = pod.spec;
  const std::string prefix = "static pods may not reference ";
  if (!spec.serviceAccountName.empty() || !spec.serviceAccount.empty()) {
    return prefix + "serviceaccounts";
  }
  if (uses_secrets(spec)) return prefix + "secrets";
  if (uses_config_maps(spec)) return prefix + "configmaps";
  if (!spec.resourceClaims.empty()) return prefix + "resourceclaims";
  for (const Volume& volume : spec.volumes) {
    if (auto refusal = volume_refusal(volume)) return refusal;
  }
  return std::nullopt;
}

FieldErrors cluster_only_fields(const PodSpec& spec) {
  FieldErrors errors;
  const FieldPath path("spec");
  const bool old_name = spec.serviceAccountName.empty();
  const std::string& account = old_name ? spec.serviceAccount : spec.serviceAccountName;
  const bool wants_token = spec.automountServiceAccountToken.value_or(true);
  if (!account.empty() && account != "default" && wants_token) {
    errors.push_back(forbidden(path / (old_name ? "serviceAccount" : "serviceAccountName"),
                               "there are no service account tokens on this node; remove it, or "
                               "set automountServiceAccountToken to false"));
  }
  if (!spec.resourceClaims.empty()) {
    errors.push_back(
        forbidden(path / "resourceClaims", "there are no resource claims on this node"));
  }
  for (std::size_t i = 0; i < spec.volumes.size(); ++i) {
    if (!is_volume_used(spec, spec.volumes[i].name)) continue;
    refuse_volume(errors, path / "volumes" / i, spec.volumes[i]);
  }
  return errors;
}

}  // namespace berth::api
