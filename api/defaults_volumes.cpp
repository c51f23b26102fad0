// SPDX-License-Identifier: Apache-2.0

#include "api/defaults_volumes.hpp"

namespace berth::api {

namespace {

constexpr std::int32_t kFileMode = 0644;
constexpr std::int64_t kTokenSeconds = 3600;

void default_files(std::vector<DownwardAPIVolumeFile>& files) {
  for (DownwardAPIVolumeFile& file : files) {
    if (file.fieldRef) apply_field_ref_defaults(*file.fieldRef);
  }
}

void default_projected(ProjectedVolumeSource& projected) {
  fill(projected.defaultMode, kFileMode);
  for (VolumeProjection& source : projected.sources) {
    if (source.downwardAPI) default_files(source.downwardAPI->items);
    if (source.serviceAccountToken) {
      fill(source.serviceAccountToken->expirationSeconds, kTokenSeconds);
    }
  }
}

void default_network_sources(Volume& volume) {
  if (volume.iscsi) fill(volume.iscsi->iscsiInterface, "default");
  if (volume.rbd) {
    fill(volume.rbd->pool, "rbd");
    fill(volume.rbd->user, "admin");
    fill(volume.rbd->keyring, "/etc/ceph/keyring");
  }
  if (volume.azureDisk) {
    fill(volume.azureDisk->cachingMode, "ReadWrite");
    fill(volume.azureDisk->fsType, "ext4");
    fill(volume.azureDisk->readOnly, false);
    fill(volume.azureDisk->kind, "Shared");
  }
  if (volume.scaleIO) {
    fill(volume.scaleIO->storageMode, "ThinProvisioned");
    fill(volume.scaleIO->fsType, "xfs");
  }
  if (volume.ephemeral && volume.ephemeral->volumeClaimTemplate) {
    PersistentVolumeClaimSpec& claim = volume.ephemeral->volumeClaimTemplate->spec;
    fill(claim.volumeMode, "Filesystem");
    round_up_to_milli(claim.resources.requests);
    round_up_to_milli(claim.resources.limits);
  }
}

bool has_source(const Volume& v) {
  return v.hostPath || v.emptyDir || v.gcePersistentDisk || v.awsElasticBlockStore || v.gitRepo ||
         v.secret || v.nfs || v.iscsi || v.glusterfs || v.persistentVolumeClaim || v.rbd ||
         v.flexVolume || v.cinder || v.cephfs || v.flocker || v.downwardAPI || v.fc ||
         v.azureFile || v.configMap || v.vsphereVolume || v.quobyte || v.azureDisk ||
         v.photonPersistentDisk || v.projected || v.portworxVolume || v.scaleIO || v.storageos ||
         v.csi || v.ephemeral || v.image;
}

}  // namespace

void round_up_to_milli(ResourceList& amounts) {
  for (auto& [name, amount] : amounts) amount = amount.round_up_to_milli();
}

void apply_field_ref_defaults(ObjectFieldSelector& ref) {
  fill(ref.apiVersion, "v1");
}

void apply_volume_defaults(Volume& volume) {
  if (!has_source(volume)) volume.emptyDir.emplace();
  if (volume.hostPath) fill(volume.hostPath->type, "");
  if (volume.secret) fill(volume.secret->defaultMode, kFileMode);
  if (volume.configMap) fill(volume.configMap->defaultMode, kFileMode);
  if (volume.downwardAPI) {
    fill(volume.downwardAPI->defaultMode, kFileMode);
    default_files(volume.downwardAPI->items);
  }
  if (volume.projected) default_projected(*volume.projected);
  default_network_sources(volume);
}

}  // namespace berth::api
