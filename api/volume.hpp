// SPDX-License-Identifier: Apache-2.0

// Volumes of a pod and all their sources (core/v1).
//
// Plain aggregates with the field names of the Kubernetes API; std::optional where absent differs
// from empty. No logic.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "api/meta.hpp"
#include "api/quantity.hpp"
#include "api/references.hpp"
#include "api/resources.hpp"

namespace berth::api {

struct HostPathVolumeSource {
  std::string path{};
  std::optional<std::string> type{};

  bool operator==(const HostPathVolumeSource&) const = default;
};

struct EmptyDirVolumeSource {
  std::string medium{};
  std::optional<Quantity> sizeLimit{};

  bool operator==(const EmptyDirVolumeSource&) const = default;
};

struct GCEPersistentDiskVolumeSource {
  std::string pdName{};
  std::string fsType{};
  std::int32_t partition = 0;
  bool readOnly = false;

  bool operator==(const GCEPersistentDiskVolumeSource&) const = default;
};

struct AWSElasticBlockStoreVolumeSource {
  std::string volumeID{};
  std::string fsType{};
  std::int32_t partition = 0;
  bool readOnly = false;

  bool operator==(const AWSElasticBlockStoreVolumeSource&) const = default;
};

struct GitRepoVolumeSource {
  std::string repository{};
  std::string revision{};
  std::string directory{};

  bool operator==(const GitRepoVolumeSource&) const = default;
};

struct SecretVolumeSource {
  std::string secretName{};
  std::vector<KeyToPath> items{};
  std::optional<std::int32_t> defaultMode{};
  std::optional<bool> optional{};

  bool operator==(const SecretVolumeSource&) const = default;
};

struct NFSVolumeSource {
  std::string server{};
  std::string path{};
  bool readOnly = false;

  bool operator==(const NFSVolumeSource&) const = default;
};

struct ISCSIVolumeSource {
  std::string targetPortal{};
  std::string iqn{};
  std::int32_t lun = 0;
  std::string iscsiInterface{};
  std::string fsType{};
  bool readOnly = false;
  std::vector<std::string> portals{};
  bool chapAuthDiscovery = false;
  bool chapAuthSession = false;
  std::optional<LocalObjectReference> secretRef{};
  std::optional<std::string> initiatorName{};

  bool operator==(const ISCSIVolumeSource&) const = default;
};

struct GlusterfsVolumeSource {
  std::string endpoints{};
  std::string path{};
  bool readOnly = false;

  bool operator==(const GlusterfsVolumeSource&) const = default;
};

struct PersistentVolumeClaimVolumeSource {
  std::string claimName{};
  bool readOnly = false;

  bool operator==(const PersistentVolumeClaimVolumeSource&) const = default;
};

struct RBDVolumeSource {
  std::vector<std::string> monitors{};
  std::string image{};
  std::string fsType{};
  std::string pool{};
  std::string user{};
  std::string keyring{};
  std::optional<LocalObjectReference> secretRef{};
  bool readOnly = false;

  bool operator==(const RBDVolumeSource&) const = default;
};

struct FlexVolumeSource {
  std::string driver{};
  std::string fsType{};
  std::optional<LocalObjectReference> secretRef{};
  bool readOnly = false;
  std::map<std::string, std::string> options{};

  bool operator==(const FlexVolumeSource&) const = default;
};

struct CinderVolumeSource {
  std::string volumeID{};
  std::string fsType{};
  bool readOnly = false;
  std::optional<LocalObjectReference> secretRef{};

  bool operator==(const CinderVolumeSource&) const = default;
};

struct CephFSVolumeSource {
  std::vector<std::string> monitors{};
  std::string path{};
  std::string user{};
  std::string secretFile{};
  std::optional<LocalObjectReference> secretRef{};
  bool readOnly = false;

  bool operator==(const CephFSVolumeSource&) const = default;
};

struct FlockerVolumeSource {
  std::string datasetName{};
  std::string datasetUUID{};

  bool operator==(const FlockerVolumeSource&) const = default;
};

struct DownwardAPIVolumeFile {
  std::string path{};
  std::optional<ObjectFieldSelector> fieldRef{};
  std::optional<ResourceFieldSelector> resourceFieldRef{};
  std::optional<std::int32_t> mode{};

  bool operator==(const DownwardAPIVolumeFile&) const = default;
};

struct DownwardAPIVolumeSource {
  std::vector<DownwardAPIVolumeFile> items{};
  std::optional<std::int32_t> defaultMode{};

  bool operator==(const DownwardAPIVolumeSource&) const = default;
};

struct FCVolumeSource {
  std::vector<std::string> targetWWNs{};
  std::optional<std::int32_t> lun{};
  std::string fsType{};
  bool readOnly = false;
  std::vector<std::string> wwids{};

  bool operator==(const FCVolumeSource&) const = default;
};

struct AzureFileVolumeSource {
  std::string secretName{};
  std::string shareName{};
  bool readOnly = false;

  bool operator==(const AzureFileVolumeSource&) const = default;
};

struct ConfigMapVolumeSource {
  std::string name{};
  std::vector<KeyToPath> items{};
  std::optional<std::int32_t> defaultMode{};
  std::optional<bool> optional{};

  bool operator==(const ConfigMapVolumeSource&) const = default;
};

struct VsphereVirtualDiskVolumeSource {
  std::string volumePath{};
  std::string fsType{};
  std::string storagePolicyName{};
  std::string storagePolicyID{};

  bool operator==(const VsphereVirtualDiskVolumeSource&) const = default;
};

struct QuobyteVolumeSource {
  std::string registry{};
  std::string volume{};
  bool readOnly = false;
  std::string user{};
  std::string group{};
  std::string tenant{};

  bool operator==(const QuobyteVolumeSource&) const = default;
};

struct AzureDiskVolumeSource {
  std::string diskName{};
  std::string diskURI{};
  std::optional<std::string> cachingMode{};
  std::optional<std::string> fsType{};
  std::optional<bool> readOnly{};
  std::optional<std::string> kind{};

  bool operator==(const AzureDiskVolumeSource&) const = default;
};

struct PhotonPersistentDiskVolumeSource {
  std::string pdID{};
  std::string fsType{};

  bool operator==(const PhotonPersistentDiskVolumeSource&) const = default;
};

struct SecretProjection {
  std::string name{};
  std::vector<KeyToPath> items{};
  std::optional<bool> optional{};

  bool operator==(const SecretProjection&) const = default;
};

struct DownwardAPIProjection {
  std::vector<DownwardAPIVolumeFile> items{};

  bool operator==(const DownwardAPIProjection&) const = default;
};

struct ConfigMapProjection {
  std::string name{};
  std::vector<KeyToPath> items{};
  std::optional<bool> optional{};

  bool operator==(const ConfigMapProjection&) const = default;
};

struct ServiceAccountTokenProjection {
  std::string audience{};
  std::optional<std::int64_t> expirationSeconds{};
  std::string path{};

  bool operator==(const ServiceAccountTokenProjection&) const = default;
};

struct ClusterTrustBundleProjection {
  std::optional<std::string> name{};
  std::optional<std::string> signerName{};
  std::optional<LabelSelector> labelSelector{};
  std::optional<bool> optional{};
  std::string path{};

  bool operator==(const ClusterTrustBundleProjection&) const = default;
};

struct PodCertificateProjection {
  std::string signerName{};
  std::string keyType{};
  std::optional<std::int32_t> maxExpirationSeconds{};
  std::string credentialBundlePath{};
  std::string keyPath{};
  std::string certificateChainPath{};

  bool operator==(const PodCertificateProjection&) const = default;
};

struct VolumeProjection {
  std::optional<SecretProjection> secret{};
  std::optional<DownwardAPIProjection> downwardAPI{};
  std::optional<ConfigMapProjection> configMap{};
  std::optional<ServiceAccountTokenProjection> serviceAccountToken{};
  std::optional<ClusterTrustBundleProjection> clusterTrustBundle{};
  std::optional<PodCertificateProjection> podCertificate{};

  bool operator==(const VolumeProjection&) const = default;
};

struct ProjectedVolumeSource {
  std::vector<VolumeProjection> sources{};
  std::optional<std::int32_t> defaultMode{};

  bool operator==(const ProjectedVolumeSource&) const = default;
};

struct PortworxVolumeSource {
  std::string volumeID{};
  std::string fsType{};
  bool readOnly = false;

  bool operator==(const PortworxVolumeSource&) const = default;
};

struct ScaleIOVolumeSource {
  std::string gateway{};
  std::string system{};
  std::optional<LocalObjectReference> secretRef{};
  bool sslEnabled = false;
  std::string protectionDomain{};
  std::string storagePool{};
  std::string storageMode{};
  std::string volumeName{};
  std::string fsType{};
  bool readOnly = false;

  bool operator==(const ScaleIOVolumeSource&) const = default;
};

struct StorageOSVolumeSource {
  std::string volumeName{};
  std::string volumeNamespace{};
  std::string fsType{};
  bool readOnly = false;
  std::optional<LocalObjectReference> secretRef{};

  bool operator==(const StorageOSVolumeSource&) const = default;
};

struct CSIVolumeSource {
  std::string driver{};
  std::optional<bool> readOnly{};
  std::optional<std::string> fsType{};
  std::map<std::string, std::string> volumeAttributes{};
  std::optional<LocalObjectReference> nodePublishSecretRef{};

  bool operator==(const CSIVolumeSource&) const = default;
};

struct PersistentVolumeClaimSpec {
  std::vector<std::string> accessModes{};
  std::optional<LabelSelector> selector{};
  VolumeResourceRequirements resources{};
  std::string volumeName{};
  std::optional<std::string> storageClassName{};
  std::optional<std::string> volumeMode{};
  std::optional<TypedLocalObjectReference> dataSource{};
  std::optional<TypedObjectReference> dataSourceRef{};
  std::optional<std::string> volumeAttributesClassName{};

  bool operator==(const PersistentVolumeClaimSpec&) const = default;
};

struct PersistentVolumeClaimTemplate {
  ObjectMeta metadata{};
  PersistentVolumeClaimSpec spec{};

  bool operator==(const PersistentVolumeClaimTemplate&) const = default;
};

struct EphemeralVolumeSource {
  std::optional<PersistentVolumeClaimTemplate> volumeClaimTemplate{};

  bool operator==(const EphemeralVolumeSource&) const = default;
};

struct ImageVolumeSource {
  std::string reference{};
  std::string pullPolicy{};

  bool operator==(const ImageVolumeSource&) const = default;
};

struct Volume {
  std::string name{};
  std::optional<HostPathVolumeSource> hostPath{};
  std::optional<EmptyDirVolumeSource> emptyDir{};
  std::optional<GCEPersistentDiskVolumeSource> gcePersistentDisk{};
  std::optional<AWSElasticBlockStoreVolumeSource> awsElasticBlockStore{};
  std::optional<GitRepoVolumeSource> gitRepo{};
  std::optional<SecretVolumeSource> secret{};
  std::optional<NFSVolumeSource> nfs{};
  std::optional<ISCSIVolumeSource> iscsi{};
  std::optional<GlusterfsVolumeSource> glusterfs{};
  std::optional<PersistentVolumeClaimVolumeSource> persistentVolumeClaim{};
  std::optional<RBDVolumeSource> rbd{};
  std::optional<FlexVolumeSource> flexVolume{};
  std::optional<CinderVolumeSource> cinder{};
  std::optional<CephFSVolumeSource> cephfs{};
  std::optional<FlockerVolumeSource> flocker{};
  std::optional<DownwardAPIVolumeSource> downwardAPI{};
  std::optional<FCVolumeSource> fc{};
  std::optional<AzureFileVolumeSource> azureFile{};
  std::optional<ConfigMapVolumeSource> configMap{};
  std::optional<VsphereVirtualDiskVolumeSource> vsphereVolume{};
  std::optional<QuobyteVolumeSource> quobyte{};
  std::optional<AzureDiskVolumeSource> azureDisk{};
  std::optional<PhotonPersistentDiskVolumeSource> photonPersistentDisk{};
  std::optional<ProjectedVolumeSource> projected{};
  std::optional<PortworxVolumeSource> portworxVolume{};
  std::optional<ScaleIOVolumeSource> scaleIO{};
  std::optional<StorageOSVolumeSource> storageos{};
  std::optional<CSIVolumeSource> csi{};
  std::optional<EphemeralVolumeSource> ephemeral{};
  std::optional<ImageVolumeSource> image{};

  bool operator==(const Volume&) const = default;
};

}  // namespace berth::api
