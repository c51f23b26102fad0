// SPDX-License-Identifier: Apache-2.0

// Volume sources on the node itself or from the pod's own configuration.
#include <array>

#include "api/validation/validate_metadata.hpp"
#include "api/validation/validate_pod_parts.hpp"
#include "api/validation/validate_values.hpp"

namespace berth::api {

namespace {

void check_empty_dir(FieldErrors& errors, const FieldPath& path, const Volume& volume) {
  if (volume.emptyDir->sizeLimit && volume.emptyDir->sizeLimit->sign() < 0) {
    errors.push_back(
        forbidden(path / "sizeLimit", "SizeLimit field must be a valid resource quantity"));
  }
}

void check_host_path(FieldErrors& errors, const FieldPath& path, const Volume& volume) {
  const HostPathVolumeSource& source = *volume.hostPath;
  if (source.path.empty()) {
    errors.push_back(required(path / "path"));
    return;
  }
  check_no_backsteps(errors, path / "path", source.path);
  if (source.type) {
    check_one_of(errors, path / "type", *source.type,
                 {"", "BlockDevice", "CharDevice", "Directory", "DirectoryOrCreate", "File",
                  "FileOrCreate", "Socket"});
  }
}

void check_git_repo(FieldErrors& errors, const FieldPath& path, const Volume& volume) {
  require(errors, path / "repository", volume.gitRepo->repository);
  check_descending_path(errors, path / "directory", volume.gitRepo->directory);
}

void check_secret(FieldErrors& errors, const FieldPath& path, const Volume& volume) {
  require(errors, path / "secretName", volume.secret->secretName);
  check_file_mode(errors, path / "defaultMode", volume.secret->defaultMode);
  check_keys_to_paths(errors, path / "items", volume.secret->items);
}

void check_config_map(FieldErrors& errors, const FieldPath& path, const Volume& volume) {
  require(errors, path / "name", volume.configMap->name);
  check_file_mode(errors, path / "defaultMode", volume.configMap->defaultMode);
  check_keys_to_paths(errors, path / "items", volume.configMap->items);
}

void check_downward_api(FieldErrors& errors, const FieldPath& path, const Volume& volume) {
  check_file_mode(errors, path / "defaultMode", volume.downwardAPI->defaultMode);
  for (const DownwardAPIVolumeFile& file : volume.downwardAPI->items) {
    check_downward_file(errors, path, file);
  }
}

void check_claim(FieldErrors& errors, const FieldPath& path, const Volume& volume) {
  require(errors, path / "claimName", volume.persistentVolumeClaim->claimName);
}

void check_projected(FieldErrors& errors, const FieldPath& path, const Volume& volume) {
  check_projected_volume(errors, path, *volume.projected);
}

// A claim template may have labels and annotations; the cluster fills in the rest.
void check_template_metadata(FieldErrors& errors, const FieldPath& path, const ObjectMeta& meta) {
  check_annotations(errors, path / "annotations", meta.annotations);
  check_labels(errors, path / "labels", meta.labels);
  const std::pair<std::string_view, bool> fields[] = {
      {"name", !meta.name.empty()},
      {"generateName", !meta.generateName.empty()},
      {"namespace", !meta.namespace_.empty()},
      {"selfLink", !meta.selfLink.empty()},
      {"uid", !meta.uid.empty()},
      {"resourceVersion", !meta.resourceVersion.empty()},
      {"generation", meta.generation != 0},
      {"creationTimestamp", meta.creationTimestamp.has_value()},
      {"deletionTimestamp", meta.deletionTimestamp.has_value()},
      {"deletionGracePeriodSeconds", meta.deletionGracePeriodSeconds.has_value()},
      {"ownerReferences", !meta.ownerReferences.empty()},
      {"finalizers", !meta.finalizers.empty()},
      {"managedFields", !meta.managedFields.empty()},
  };
  for (const auto& [name, set] : fields) {
    if (set) errors.push_back(forbidden(path / name, "cannot be set"));
  }
}

void check_ephemeral(FieldErrors& errors, const FieldPath& path, const Volume& volume) {
  const FieldPath at = path / "volumeClaimTemplate";
  if (!volume.ephemeral->volumeClaimTemplate) {
    errors.push_back(required(at));
    return;
  }
  const PersistentVolumeClaimTemplate& wanted = *volume.ephemeral->volumeClaimTemplate;
  check_template_metadata(errors, at / "metadata", wanted.metadata);
  if (wanted.spec.accessModes.empty()) {
    errors.push_back(required(at / "spec" / "accessModes", "at least 1 access mode is required"));
  }
  if (!wanted.spec.resources.requests.contains("storage")) {
    errors.push_back(required((at / "spec" / "resources").key("storage")));
  }
}

void check_image(FieldErrors& errors, const FieldPath& path, const Volume& volume) {
  if (volume.image->pullPolicy.empty()) {
    errors.push_back(required(path / "pullPolicy"));
  } else {
    check_one_of(errors, path / "pullPolicy", volume.image->pullPolicy,
                 {"Always", "IfNotPresent", "Never"});
  }
}

void check_csi(FieldErrors& errors, const FieldPath& path, const Volume& volume) {
  constexpr std::size_t kMostDriverBytes = 63;
  const CSIVolumeSource& csi = *volume.csi;
  require(errors, path / "driver", csi.driver);
  if (csi.driver.size() > kMostDriverBytes) {
    errors.push_back(too_long(path / "driver", kMostDriverBytes));
  }
  add_invalid(errors, path / "driver", quoted(csi.driver),
              grammar::dns1123_subdomain(to_lower(csi.driver)));
  if (!csi.nodePublishSecretRef) return;
  if (csi.nodePublishSecretRef->name.empty()) {
    errors.push_back(required(path / "nodePublishSecretRef" / "name"));
  } else {
    check_text(errors, path / "name", csi.nodePublishSecretRef->name, grammar::dns1123_subdomain);
  }
}

using Check = void (*)(FieldErrors&, const FieldPath&, const Volume&);

struct Source {
  bool present = false;
  std::string_view name{};      // the field
  std::string_view conflict{};  // the path reported if it is one source too many
  Check check = nullptr;        // null if the source is a network volume
};

// In the order in which the sources are checked.
std::array<Source, 30> sources_of(const Volume& v) {
  const auto source = [](bool present, std::string_view name, Check check) {
    return Source{present, name, name, check};
  };
  constexpr Check network = nullptr;
  return {
      source(v.emptyDir.has_value(), "emptyDir", check_empty_dir),
      source(v.hostPath.has_value(), "hostPath", check_host_path),
      source(v.gitRepo.has_value(), "gitRepo", check_git_repo),
      source(v.gcePersistentDisk.has_value(), "gcePersistentDisk", network),
      source(v.awsElasticBlockStore.has_value(), "awsElasticBlockStore", network),
      source(v.secret.has_value(), "secret", check_secret),
      source(v.nfs.has_value(), "nfs", network),
      source(v.iscsi.has_value(), "iscsi", network),
      source(v.glusterfs.has_value(), "glusterfs", network),
      source(v.flocker.has_value(), "flocker", network),
      source(v.persistentVolumeClaim.has_value(), "persistentVolumeClaim", check_claim),
      source(v.rbd.has_value(), "rbd", network),
      source(v.cinder.has_value(), "cinder", network),
      Source{v.cephfs.has_value(), "cephfs", "cephFS", network},
      source(v.quobyte.has_value(), "quobyte", network),
      Source{v.downwardAPI.has_value(), "downwardAPI", "downwarAPI", check_downward_api},
      source(v.fc.has_value(), "fc", network),
      source(v.flexVolume.has_value(), "flexVolume", network),
      source(v.configMap.has_value(), "configMap", check_config_map),
      source(v.azureFile.has_value(), "azureFile", network),
      source(v.vsphereVolume.has_value(), "vsphereVolume", network),
      source(v.photonPersistentDisk.has_value(), "photonPersistentDisk", network),
      source(v.portworxVolume.has_value(), "portworxVolume", network),
      source(v.azureDisk.has_value(), "azureDisk", network),
      source(v.storageos.has_value(), "storageos", network),
      source(v.projected.has_value(), "projected", check_projected),
      source(v.scaleIO.has_value(), "scaleIO", network),
      source(v.csi.has_value(), "csi", check_csi),
      source(v.ephemeral.has_value(), "ephemeral", check_ephemeral),
      source(v.image.has_value(), "image", check_image),
  };
}

}  // namespace

void check_keys_to_paths(FieldErrors& errors, const FieldPath& path,
                         const std::vector<KeyToPath>& items) {
  for (std::size_t i = 0; i < items.size(); ++i) {
    const FieldPath at = path / i;
    require(errors, at / "key", items[i].key);
    require(errors, at / "path", items[i].path);
    check_local_path(errors, at / "path", items[i].path);
    check_file_mode(errors, at / "mode", items[i].mode);
  }
}

void check_downward_file(FieldErrors& errors, const FieldPath& path,
                         const DownwardAPIVolumeFile& file) {
  require(errors, path / "path", file.path);
  check_local_path(errors, path / "path", file.path);
  if (file.fieldRef) {
    check_field_ref(errors, path / "fieldRef", *file.fieldRef, SelectorPlace::kVolume);
    if (file.resourceFieldRef) {
      errors.push_back(invalid(path, quoted("resource"),
                               "fieldRef and resourceFieldRef can not be specified "
                               "simultaneously"));
    }
  } else if (file.resourceFieldRef) {
    check_resource_field_ref(errors, path / "resourceFieldRef", *file.resourceFieldRef,
                             SelectorPlace::kVolume);
  } else {
    errors.push_back(required(path, "one of fieldRef and resourceFieldRef is required"));
  }
  check_file_mode(errors, path / "mode", file.mode);
}

void check_volume_source(FieldErrors& errors, const FieldPath& path, const Volume& volume) {
  bool found = false;
  for (const Source& source : sources_of(volume)) {
    if (!source.present) continue;
    if (found) {
      errors.push_back(
          forbidden(path / source.conflict, "may not specify more than 1 volume type"));
      continue;
    }
    found = true;
    if (source.check == nullptr) {
      check_network_volume(errors, path, source.name, volume);
    } else {
      source.check(errors, path / source.name, volume);
    }
  }
  if (!found) errors.push_back(required(path, "must specify a volume type"));
}

}  // namespace berth::api
