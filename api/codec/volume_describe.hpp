// SPDX-License-Identifier: Apache-2.0

// How the codec sees the types of api/volume.hpp. Included only by the codec's sources.
#pragma once

#include <array>
#include <string_view>

#include <boost/describe.hpp>

#include "api/volume.hpp"

namespace berth::api {

BOOST_DESCRIBE_STRUCT(HostPathVolumeSource, (), (path, type))
constexpr auto printed_when_empty(const HostPathVolumeSource*) {
  return std::to_array<std::string_view>({"path"});
}
BOOST_DESCRIBE_STRUCT(EmptyDirVolumeSource, (), (medium, sizeLimit))
BOOST_DESCRIBE_STRUCT(GCEPersistentDiskVolumeSource, (), (pdName, fsType, partition, readOnly))
constexpr auto printed_when_empty(const GCEPersistentDiskVolumeSource*) {
  return std::to_array<std::string_view>({"pdName"});
}
BOOST_DESCRIBE_STRUCT(AWSElasticBlockStoreVolumeSource, (), (volumeID, fsType, partition, readOnly))
constexpr auto printed_when_empty(const AWSElasticBlockStoreVolumeSource*) {
  return std::to_array<std::string_view>({"volumeID"});
}
BOOST_DESCRIBE_STRUCT(GitRepoVolumeSource, (), (repository, revision, directory))
constexpr auto printed_when_empty(const GitRepoVolumeSource*) {
  return std::to_array<std::string_view>({"repository"});
}
BOOST_DESCRIBE_STRUCT(SecretVolumeSource, (), (secretName, items, defaultMode, optional))
BOOST_DESCRIBE_STRUCT(NFSVolumeSource, (), (server, path, readOnly))
constexpr auto printed_when_empty(const NFSVolumeSource*) {
  return std::to_array<std::string_view>({"server", "path"});
}
BOOST_DESCRIBE_STRUCT(ISCSIVolumeSource, (),
                      (targetPortal, iqn, lun, iscsiInterface, fsType, readOnly, portals,
                       chapAuthDiscovery, chapAuthSession, secretRef, initiatorName))
constexpr auto printed_when_empty(const ISCSIVolumeSource*) {
  return std::to_array<std::string_view>({"targetPortal", "iqn", "lun"});
}
BOOST_DESCRIBE_STRUCT(GlusterfsVolumeSource, (), (endpoints, path, readOnly))
constexpr auto printed_when_empty(const GlusterfsVolumeSource*) {
  return std::to_array<std::string_view>({"endpoints", "path"});
}
BOOST_DESCRIBE_STRUCT(PersistentVolumeClaimVolumeSource, (), (claimName, readOnly))
constexpr auto printed_when_empty(const PersistentVolumeClaimVolumeSource*) {
  return std::to_array<std::string_view>({"claimName"});
}
BOOST_DESCRIBE_STRUCT(RBDVolumeSource, (),
                      (monitors, image, fsType, pool, user, keyring, secretRef, readOnly))
constexpr auto printed_when_empty(const RBDVolumeSource*) {
  return std::to_array<std::string_view>({"monitors", "image"});
}
BOOST_DESCRIBE_STRUCT(FlexVolumeSource, (), (driver, fsType, secretRef, readOnly, options))
constexpr auto printed_when_empty(const FlexVolumeSource*) {
  return std::to_array<std::string_view>({"driver"});
}
BOOST_DESCRIBE_STRUCT(CinderVolumeSource, (), (volumeID, fsType, readOnly, secretRef))
constexpr auto printed_when_empty(const CinderVolumeSource*) {
  return std::to_array<std::string_view>({"volumeID"});
}
BOOST_DESCRIBE_STRUCT(CephFSVolumeSource, (),
                      (monitors, path, user, secretFile, secretRef, readOnly))
constexpr auto printed_when_empty(const CephFSVolumeSource*) {
  return std::to_array<std::string_view>({"monitors"});
}
BOOST_DESCRIBE_STRUCT(FlockerVolumeSource, (), (datasetName, datasetUUID))
BOOST_DESCRIBE_STRUCT(DownwardAPIVolumeFile, (), (path, fieldRef, resourceFieldRef, mode))
constexpr auto printed_when_empty(const DownwardAPIVolumeFile*) {
  return std::to_array<std::string_view>({"path"});
}
BOOST_DESCRIBE_STRUCT(DownwardAPIVolumeSource, (), (items, defaultMode))
BOOST_DESCRIBE_STRUCT(FCVolumeSource, (), (targetWWNs, lun, fsType, readOnly, wwids))
BOOST_DESCRIBE_STRUCT(AzureFileVolumeSource, (), (secretName, shareName, readOnly))
constexpr auto printed_when_empty(const AzureFileVolumeSource*) {
  return std::to_array<std::string_view>({"secretName", "shareName"});
}
BOOST_DESCRIBE_STRUCT(ConfigMapVolumeSource, (), (name, items, defaultMode, optional))
BOOST_DESCRIBE_STRUCT(VsphereVirtualDiskVolumeSource, (),
                      (volumePath, fsType, storagePolicyName, storagePolicyID))
constexpr auto printed_when_empty(const VsphereVirtualDiskVolumeSource*) {
  return std::to_array<std::string_view>({"volumePath"});
}
BOOST_DESCRIBE_STRUCT(QuobyteVolumeSource, (), (registry, volume, readOnly, user, group, tenant))
constexpr auto printed_when_empty(const QuobyteVolumeSource*) {
  return std::to_array<std::string_view>({"registry", "volume"});
}
BOOST_DESCRIBE_STRUCT(AzureDiskVolumeSource, (),
                      (diskName, diskURI, cachingMode, fsType, readOnly, kind))
constexpr auto printed_when_empty(const AzureDiskVolumeSource*) {
  return std::to_array<std::string_view>({"diskName", "diskURI"});
}
BOOST_DESCRIBE_STRUCT(PhotonPersistentDiskVolumeSource, (), (pdID, fsType))
constexpr auto printed_when_empty(const PhotonPersistentDiskVolumeSource*) {
  return std::to_array<std::string_view>({"pdID"});
}
BOOST_DESCRIBE_STRUCT(SecretProjection, (), (name, items, optional))
BOOST_DESCRIBE_STRUCT(DownwardAPIProjection, (), (items))
BOOST_DESCRIBE_STRUCT(ConfigMapProjection, (), (name, items, optional))
BOOST_DESCRIBE_STRUCT(ServiceAccountTokenProjection, (), (audience, expirationSeconds, path))
constexpr auto printed_when_empty(const ServiceAccountTokenProjection*) {
  return std::to_array<std::string_view>({"path"});
}
BOOST_DESCRIBE_STRUCT(ClusterTrustBundleProjection, (),
                      (name, signerName, labelSelector, optional, path))
constexpr auto printed_when_empty(const ClusterTrustBundleProjection*) {
  return std::to_array<std::string_view>({"path"});
}
BOOST_DESCRIBE_STRUCT(PodCertificateProjection, (),
                      (signerName, keyType, maxExpirationSeconds, credentialBundlePath, keyPath,
                       certificateChainPath))
BOOST_DESCRIBE_STRUCT(VolumeProjection, (),
                      (secret, downwardAPI, configMap, serviceAccountToken, clusterTrustBundle,
                       podCertificate))
BOOST_DESCRIBE_STRUCT(ProjectedVolumeSource, (), (sources, defaultMode))
constexpr auto printed_when_empty(const ProjectedVolumeSource*) {
  return std::to_array<std::string_view>({"sources"});
}
BOOST_DESCRIBE_STRUCT(PortworxVolumeSource, (), (volumeID, fsType, readOnly))
constexpr auto printed_when_empty(const PortworxVolumeSource*) {
  return std::to_array<std::string_view>({"volumeID"});
}
BOOST_DESCRIBE_STRUCT(ScaleIOVolumeSource, (),
                      (gateway, system, secretRef, sslEnabled, protectionDomain, storagePool,
                       storageMode, volumeName, fsType, readOnly))
constexpr auto printed_when_empty(const ScaleIOVolumeSource*) {
  return std::to_array<std::string_view>({"gateway", "system", "secretRef"});
}
BOOST_DESCRIBE_STRUCT(StorageOSVolumeSource, (),
                      (volumeName, volumeNamespace, fsType, readOnly, secretRef))
BOOST_DESCRIBE_STRUCT(CSIVolumeSource, (),
                      (driver, readOnly, fsType, volumeAttributes, nodePublishSecretRef))
constexpr auto printed_when_empty(const CSIVolumeSource*) {
  return std::to_array<std::string_view>({"driver"});
}
BOOST_DESCRIBE_STRUCT(PersistentVolumeClaimSpec, (),
                      (accessModes, selector, resources, volumeName, storageClassName, volumeMode,
                       dataSource, dataSourceRef, volumeAttributesClassName))
BOOST_DESCRIBE_STRUCT(PersistentVolumeClaimTemplate, (), (metadata, spec))
constexpr auto printed_when_empty(const PersistentVolumeClaimTemplate*) {
  return std::to_array<std::string_view>({"spec"});
}
BOOST_DESCRIBE_STRUCT(EphemeralVolumeSource, (), (volumeClaimTemplate))
BOOST_DESCRIBE_STRUCT(ImageVolumeSource, (), (reference, pullPolicy))
BOOST_DESCRIBE_STRUCT(Volume, (),
                      (name, hostPath, emptyDir, gcePersistentDisk, awsElasticBlockStore, gitRepo,
                       secret, nfs, iscsi, glusterfs, persistentVolumeClaim, rbd, flexVolume,
                       cinder, cephfs, flocker, downwardAPI, fc, azureFile, configMap,
                       vsphereVolume, quobyte, azureDisk, photonPersistentDisk, projected,
                       portworxVolume, scaleIO, storageos, csi, ephemeral, image))
constexpr auto printed_when_empty(const Volume*) {
  return std::to_array<std::string_view>({"name"});
}

}  // namespace berth::api
