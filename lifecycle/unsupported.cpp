// SPDX-License-Identifier: Apache-2.0

#include "lifecycle/unsupported.hpp"

#include <array>
#include <string_view>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "api/used_volumes.hpp"

namespace berth::lifecycle {
namespace {

class Collector {
 public:
  void add(std::string field, std::string_view what) {
    std::string sentence = fmt::format("{}: {}", field, what);
    found.push_back(Unsupported{.field = std::move(field), .sentence = std::move(sentence)});
  }
  void add_if(bool asked, std::string field, std::string_view what) {
    if (asked) add(std::move(field), what);
  }

  std::vector<Unsupported> found{};
};

struct VolumeKind {
  std::string_view field{};
  bool (*used)(const api::Volume&) = nullptr;
};

constexpr std::string_view kOtherVolume =
    "volumes of this kind are not supported; emptyDir, hostPath, configMap, secret, downwardAPI "
    "and "
    "projected are";

// Every other volume source.
constexpr std::array kOtherVolumes = {
    VolumeKind{"gcePersistentDisk",
               [](const api::Volume& v) { return v.gcePersistentDisk.has_value(); }},
    VolumeKind{"awsElasticBlockStore",
               [](const api::Volume& v) { return v.awsElasticBlockStore.has_value(); }},
    VolumeKind{"gitRepo", [](const api::Volume& v) { return v.gitRepo.has_value(); }},
    VolumeKind{"nfs", [](const api::Volume& v) { return v.nfs.has_value(); }},
    VolumeKind{"iscsi", [](const api::Volume& v) { return v.iscsi.has_value(); }},
    VolumeKind{"glusterfs", [](const api::Volume& v) { return v.glusterfs.has_value(); }},
    VolumeKind{"persistentVolumeClaim",
               [](const api::Volume& v) { return v.persistentVolumeClaim.has_value(); }},
    VolumeKind{"rbd", [](const api::Volume& v) { return v.rbd.has_value(); }},
    VolumeKind{"flexVolume", [](const api::Volume& v) { return v.flexVolume.has_value(); }},
    VolumeKind{"cinder", [](const api::Volume& v) { return v.cinder.has_value(); }},
    VolumeKind{"cephfs", [](const api::Volume& v) { return v.cephfs.has_value(); }},
    VolumeKind{"flocker", [](const api::Volume& v) { return v.flocker.has_value(); }},
    VolumeKind{"fc", [](const api::Volume& v) { return v.fc.has_value(); }},
    VolumeKind{"azureFile", [](const api::Volume& v) { return v.azureFile.has_value(); }},
    VolumeKind{"vsphereVolume", [](const api::Volume& v) { return v.vsphereVolume.has_value(); }},
    VolumeKind{"quobyte", [](const api::Volume& v) { return v.quobyte.has_value(); }},
    VolumeKind{"azureDisk", [](const api::Volume& v) { return v.azureDisk.has_value(); }},
    VolumeKind{"photonPersistentDisk",
               [](const api::Volume& v) { return v.photonPersistentDisk.has_value(); }},
    VolumeKind{"portworxVolume", [](const api::Volume& v) { return v.portworxVolume.has_value(); }},
    VolumeKind{"scaleIO", [](const api::Volume& v) { return v.scaleIO.has_value(); }},
    VolumeKind{"storageos", [](const api::Volume& v) { return v.storageos.has_value(); }},
    VolumeKind{"csi", [](const api::Volume& v) { return v.csi.has_value(); }},
    VolumeKind{"ephemeral", [](const api::Volume& v) { return v.ephemeral.has_value(); }},
    VolumeKind{"image", [](const api::Volume& v) { return v.image.has_value(); }},
};

// Sources that only an API server could provide.
void collect_sources(const api::ProjectedVolumeSource& volume, const std::string& path,
                     Collector& out) {
  for (std::size_t i = 0; i < volume.sources.size(); ++i) {
    const api::VolumeProjection& source = volume.sources[i];
    const std::string at = fmt::format("{}.sources[{}]", path, i);
    out.add_if(source.serviceAccountToken.has_value(), at + ".serviceAccountToken",
               "there are no service accounts here");
    out.add_if(source.clusterTrustBundle.has_value(), at + ".clusterTrustBundle",
               "there are no cluster trust bundles here");
    out.add_if(source.podCertificate.has_value(), at + ".podCertificate",
               "this node has no signer of pod certificates");
  }
}

// A volume that no container uses is never set up, so it need not be supported.
void collect_volumes(const api::PodSpec& spec, Collector& out) {
  for (std::size_t i = 0; i < spec.volumes.size(); ++i) {
    const api::Volume& volume = spec.volumes[i];
    if (!api::is_volume_used(spec, volume.name)) continue;
    const std::string path = fmt::format("spec.volumes[{}]", i);
    for (const VolumeKind& kind : kOtherVolumes) {
      out.add_if(kind.used(volume), fmt::format("{}.{}", path, kind.field), kOtherVolume);
    }
    if (volume.emptyDir && !volume.emptyDir->medium.empty() &&
        volume.emptyDir->medium != "Memory") {
      out.add(path + ".emptyDir.medium", "huge pages are not supported; Memory is");
    }
    if (volume.projected) collect_sources(*volume.projected, path + ".projected", out);
  }
}

void collect_env(const api::Container& container, const std::string& path, Collector& out) {
  for (std::size_t i = 0; i < container.env.size(); ++i) {
    const auto& source = container.env[i].valueFrom;
    if (!source) continue;
    const std::string from = fmt::format("{}.env[{}].valueFrom", path, i);
    out.add_if(source->fileKeyRef.has_value(), from + ".fileKeyRef",
               "variables from files are not supported");
  }
}

void collect_container(const api::Container& container, const std::string& path, Collector& out) {
  collect_env(container, path, out);
  out.add_if(!container.resources.claims.empty(), path + ".resources.claims",
             "resource claims are not supported");
  out.add_if(!container.volumeDevices.empty(), path + ".volumeDevices",
             "block devices are not supported");
}

void collect_containers(const api::PodSpec& spec, Collector& out) {
  for (std::size_t i = 0; i < spec.initContainers.size(); ++i) {
    collect_container(spec.initContainers[i], fmt::format("spec.initContainers[{}]", i), out);
  }
  for (std::size_t i = 0; i < spec.containers.size(); ++i) {
    collect_container(spec.containers[i], fmt::format("spec.containers[{}]", i), out);
  }
  out.add_if(!spec.ephemeralContainers.empty(), "spec.ephemeralContainers",
             "ephemeral containers are not supported");
}

void collect_service_account(const api::PodSpec& spec, Collector& out) {
  constexpr std::string_view kToken =
      "there are no service accounts here; say automountServiceAccountToken: false if the pod "
      "does not need a token";
  if (spec.automountServiceAccountToken == false) return;
  const bool named = !spec.serviceAccountName.empty() || !spec.serviceAccount.empty();
  if (named) {
    out.add("spec.serviceAccountName", kToken);
  } else if (spec.automountServiceAccountToken == true) {
    out.add("spec.automountServiceAccountToken", "there are no service accounts here");
  }
}

}  // namespace

std::vector<Unsupported> unsupported_fields(const api::Pod& pod) {
  const api::PodSpec& spec = pod.spec;
  Collector out;
  collect_volumes(spec, out);
  collect_containers(spec, out);
  collect_service_account(spec, out);
  out.add_if(spec.hostUsers == false, "spec.hostUsers", "user namespaces are not supported");
  out.add_if(!spec.schedulingGates.empty(), "spec.schedulingGates",
             "no controller on this node removes scheduling gates");
  out.add_if(!spec.resourceClaims.empty(), "spec.resourceClaims",
             "resource claims are not supported");
  out.add_if(spec.hostnameOverride.has_value(), "spec.hostnameOverride",
             "overriding the hostname is not supported");
  return std::move(out.found);
}

std::string unsupported_message(const std::vector<Unsupported>& fields) {
  std::vector<std::string_view> sentences;
  for (const Unsupported& field : fields) sentences.push_back(field.sentence);
  return fmt::format("this version of berth cannot run the pod: {}", fmt::join(sentences, "; "));
}

}  // namespace berth::lifecycle
