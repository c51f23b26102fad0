// SPDX-License-Identifier: Apache-2.0

// Volumes on the network or on another machine's disks. `path` is the volume's own path, because
// some of these checks report names that differ from the field's.
#include <algorithm>

#include "api/validation/validate_pod_parts.hpp"
#include "api/validation/validate_values.hpp"

namespace berth::api {

namespace {

constexpr std::int64_t kMostLun = 255;

// A partition is checked against 0-255, but the error text is "1-255" as in Kubernetes.
void check_partition(FieldErrors& errors, const FieldPath& path, std::int32_t partition) {
  if (partition >= 0 && partition <= 255) return;
  errors.push_back(invalid(path, number(partition), "must be between 1 and 255, inclusive"));
}

void check_flex(FieldErrors& errors, const FieldPath& path, const FlexVolumeSource& flex) {
  require(errors, path / "driver", flex.driver);
  for (const auto& [key, value] : flex.options) {
    const std::string domain = "." + to_lower(key.substr(0, key.find('/')));
    if (domain.ends_with(".kubernetes.io") || domain.ends_with(".k8s.io")) {
      errors.push_back(invalid((path / "options").key(key), quoted(key),
                               "kubernetes.io and k8s.io namespaces are reserved"));
    }
  }
}

void check_fc(FieldErrors& errors, const FieldPath& path, const FCVolumeSource& fc) {
  if (fc.targetWWNs.empty() && fc.wwids.empty()) {
    errors.push_back(
        required(path / "targetWWNs", "must specify either targetWWNs or wwids, but not both"));
  }
  if (!fc.targetWWNs.empty() && !fc.wwids.empty()) {
    errors.push_back(invalid(path / "targetWWNs", json_strings(fc.targetWWNs),
                             "targetWWNs and wwids can not be specified simultaneously"));
  }
  if (fc.targetWWNs.empty()) return;
  if (!fc.lun) {
    errors.push_back(required(path / "lun", "lun is required if targetWWNs is specified"));
  } else {
    check_between(errors, path / "lun", *fc.lun, 0, kMostLun);
  }
}

void check_nfs(FieldErrors& errors, const FieldPath& path, const NFSVolumeSource& nfs) {
  require(errors, path / "server", nfs.server);
  require(errors, path / "path", nfs.path);
  if (!nfs.path.starts_with('/')) {
    errors.push_back(invalid(path / "path", quoted(nfs.path), "must be an absolute path"));
  }
}

struct RequiredField {
  std::string_view name;
  bool empty;
};

void require_all(FieldErrors& errors, const FieldPath& path,
                 std::initializer_list<RequiredField> fields) {
  for (const RequiredField& field : fields) {
    if (field.empty) errors.push_back(required(path / field.name));
  }
}

void check_secret_name(FieldErrors& errors, const FieldPath& path,
                       const std::optional<LocalObjectReference>& secret) {
  if (secret) require(errors, path / "secretRef" / "name", secret->name);
}

void check_flocker(FieldErrors& errors, const FieldPath& path, const FlockerVolumeSource& flocker) {
  const bool named = !flocker.datasetName.empty();
  const bool has_uuid = !flocker.datasetUUID.empty();
  if (!named && !has_uuid) {
    errors.push_back(required(path, "one of datasetName and datasetUUID is required"));
  }
  if (named && has_uuid) {
    errors.push_back(invalid(path, quoted("resource"),
                             "datasetName and datasetUUID can not be specified simultaneously"));
  }
  if (flocker.datasetName.find('/') != std::string::npos) {
    errors.push_back(
        invalid(path / "datasetName", quoted(flocker.datasetName), "must not contain '/'"));
  }
}

void check_azure_disk(FieldErrors& errors, const FieldPath& path,
                      const AzureDiskVolumeSource& disk) {
  require(errors, path / "diskName", disk.diskName);
  require(errors, path / "diskURI", disk.diskURI);
  if (disk.cachingMode) {
    check_one_of(errors, path / "cachingMode", *disk.cachingMode,
                 {"None", "ReadOnly", "ReadWrite"});
  }
  if (!disk.kind) return;
  check_one_of(errors, path / "kind", *disk.kind, {"Dedicated", "Managed", "Shared"});
  const bool managed = *disk.kind == "Managed";
  if (disk.diskURI.starts_with(managed ? "/subscriptions/" : "https://")) return;
  const std::string_view form =
      managed ? "/subscriptions/{sub-id}/resourcegroups/{group-name}/providers/microsoft.compute/"
                "disks/{disk-id}"
              : "https://{account-name}.blob.core.windows.net/{container-name}/{disk-name}.vhd";
  errors.push_back(not_supported(path / "diskURI", quoted(disk.diskURI), {form}));
}

// Whether Go's net.SplitHostPort takes the text apart; host and port may be empty.
bool is_host_port(std::string_view text) {
  const std::size_t colon = text.rfind(':');
  if (colon == text.npos) return false;
  std::string_view host = text.substr(0, colon);
  if (host.starts_with('[')) {
    if (host.find(']') != host.size() - 1) return false;
    host = host.substr(1, host.size() - 2);
  } else if (host.find(':') != host.npos) {
    return false;
  }
  return host.find_first_of("[]") == host.npos &&
         text.substr(colon).find_first_of("[]") == text.npos;
}

void check_quobyte(FieldErrors& errors, const FieldPath& path, const QuobyteVolumeSource& quobyte) {
  constexpr std::string_view kPairs =
      "must be a host:port pair or multiple pairs separated by commas";
  constexpr std::size_t kMostTenantBytes = 64;
  if (quobyte.registry.empty()) {
    errors.push_back(required(path / "registry", kPairs));
  } else if (quobyte.tenant.size() > kMostTenantBytes) {
    errors.push_back(
        required(path / "tenant", "must be a UUID and may not exceed a length of 64 characters"));
  } else {
    for (std::size_t begin = 0; begin <= quobyte.registry.size();) {
      const std::size_t end = std::min(quobyte.registry.find(',', begin), quobyte.registry.size());
      if (!is_host_port(std::string_view(quobyte.registry).substr(begin, end - begin))) {
        errors.push_back(invalid(path / "registry", quoted(quobyte.registry), kPairs));
      }
      begin = end + 1;
    }
  }
  require(errors, path / "volume", quobyte.volume);
}

void check_storage_os(FieldErrors& errors, const FieldPath& path,
                      const StorageOSVolumeSource& storage) {
  check_required_text(errors, path / "volumeName", storage.volumeName, grammar::dns1123_label);
  if (!storage.volumeNamespace.empty()) {
    check_text(errors, path / "volumeNamespace", storage.volumeNamespace, grammar::dns1123_label);
  }
  check_secret_name(errors, path, storage.secretRef);
}

// Sources that are checked for little more than that their main fields are set.
void check_plain_source(FieldErrors& errors, const FieldPath& path, std::string_view source,
                        const Volume& v) {
  if (source == "glusterfs") {
    require_all(
        errors, path / "glusterfs",
        {{"endpoints", v.glusterfs->endpoints.empty()}, {"path", v.glusterfs->path.empty()}});
  } else if (source == "rbd") {
    require_all(errors, path / "rbd",
                {{"monitors", v.rbd->monitors.empty()}, {"image", v.rbd->image.empty()}});
  } else if (source == "cinder") {
    require_all(errors, path / "cinder", {{"volumeID", v.cinder->volumeID.empty()}});
    check_secret_name(errors, path / "cinder", v.cinder->secretRef);
  } else if (source == "cephfs") {
    require_all(errors, path / "cephfs", {{"monitors", v.cephfs->monitors.empty()}});
  } else if (source == "azureFile") {
    require_all(errors, path / "azureFile",
                {{"secretName", v.azureFile->secretName.empty()},
                 {"shareName", v.azureFile->shareName.empty()}});
  } else if (source == "vsphereVolume") {
    require_all(errors, path / "vsphereVolume",
                {{"volumePath", v.vsphereVolume->volumePath.empty()}});
  } else if (source == "photonPersistentDisk") {
    require_all(errors, path / "photonPersistentDisk",
                {{"pdID", v.photonPersistentDisk->pdID.empty()}});
  } else if (source == "portworxVolume") {
    require_all(errors, path / "portworxVolume",
                {{"volumeID", v.portworxVolume->volumeID.empty()}});
  } else if (source == "scaleIO") {
    require_all(errors, path / "scaleIO",
                {{"gateway", v.scaleIO->gateway.empty()},
                 {"system", v.scaleIO->system.empty()},
                 {"volumeName", v.scaleIO->volumeName.empty()}});
  }
}

bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

bool is_alnum(char c) {
  return is_digit(c) || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

// iqn.<year>-<month>.<reversed domain>[:<anything without separators>]
bool is_iqn(std::string_view text) {
  if (text.size() < 13 || !text.starts_with("iqn.")) return false;
  const std::string_view date = text.substr(4, 8);
  for (std::size_t i = 0; i < date.size(); ++i) {
    const bool fits = i == 4 ? date[i] == '-' : i == 7 ? date[i] == '.' : is_digit(date[i]);
    if (!fits) return false;
  }
  const std::string_view rest = text.substr(12);
  const std::size_t colon = rest.find(':');
  const std::string_view domain = rest.substr(0, colon);
  const bool plain = !domain.empty() && std::all_of(domain.begin(), domain.end(), [](char c) {
    return is_alnum(c) || c == '-' || c == '.';
  });
  if (!plain || colon == rest.npos) return plain;
  const std::string_view name = rest.substr(colon + 1);
  return !name.empty() && name.find_first_of(",;*&$| \t\n\v\f\r") == name.npos;
}

// "eui." or "naa." followed by `length` letters or digits.
bool is_fixed_name(std::string_view text, std::size_t length) {
  return text.size() == 4 + length &&
         std::all_of(text.begin() + 4, text.end(), [](char c) { return is_alnum(c); });
}

void check_initiator(FieldErrors& errors, const FieldPath& path, std::string_view name) {
  const bool iqn = name.starts_with("iqn");
  const bool eui = name.starts_with("eui");
  const bool naa = name.starts_with("naa");
  if (!iqn && !eui && !naa) {
    errors.push_back(
        invalid(path, quoted(name), "must be valid format starting with iqn, eui, or naa"));
  } else if ((iqn && !is_iqn(name)) || (eui && !is_fixed_name(name, 16)) ||
             (naa && !is_fixed_name(name, 32))) {
    errors.push_back(invalid(path, quoted(name), "must be valid format"));
  }
}

void check_iscsi(FieldErrors& errors, const FieldPath& path, const Volume& volume) {
  const ISCSIVolumeSource& iscsi = *volume.iscsi;
  const FieldPath at = path / "iscsi";
  require(errors, at / "targetPortal", iscsi.targetPortal);
  if (iscsi.iqn.empty()) {
    errors.push_back(required(at / "iqn"));
  } else {
    check_initiator(errors, at / "iqn", iscsi.iqn);
  }
  check_between(errors, at / "lun", iscsi.lun, 0, kMostLun);
  if ((iscsi.chapAuthDiscovery || iscsi.chapAuthSession) && !iscsi.secretRef) {
    errors.push_back(required(at / "secretRef"));
  }
  if (iscsi.initiatorName) {
    check_initiator(errors, at / "initiatorname", *iscsi.initiatorName);
  }
  constexpr std::size_t kMostTargetBytes = 64;
  const std::string target = volume.name + ":" + iscsi.targetPortal;
  if (iscsi.initiatorName && target.size() > kMostTargetBytes) {
    errors.push_back(invalid(path / "name", quoted(volume.name),
                             "Total length of <volume name>:<iscsi.targetPortal> must be under "
                             "64 characters if iscsi.initiatorName is specified."));
  }
}

}  // namespace

void check_network_volume(FieldErrors& errors, const FieldPath& path, std::string_view source,
                          const Volume& volume) {
  if (source == "gcePersistentDisk") {
    const FieldPath at = path / "persistentDisk";
    require(errors, at / "pdName", volume.gcePersistentDisk->pdName);
    check_partition(errors, at / "partition", volume.gcePersistentDisk->partition);
  } else if (source == "awsElasticBlockStore") {
    const FieldPath at = path / "awsElasticBlockStore";
    require(errors, at / "volumeID", volume.awsElasticBlockStore->volumeID);
    check_partition(errors, at / "partition", volume.awsElasticBlockStore->partition);
  } else if (source == "nfs") {
    check_nfs(errors, path / "nfs", *volume.nfs);
  } else if (source == "iscsi") {
    check_iscsi(errors, path, volume);
  } else if (source == "flocker") {
    check_flocker(errors, path / "flocker", *volume.flocker);
  } else if (source == "fc") {
    check_fc(errors, path / "fc", *volume.fc);
  } else if (source == "flexVolume") {
    check_flex(errors, path / "flexVolume", *volume.flexVolume);
  } else if (source == "azureDisk") {
    check_azure_disk(errors, path / "azureDisk", *volume.azureDisk);
  } else if (source == "quobyte") {
    check_quobyte(errors, path / "quobyte", *volume.quobyte);
  } else if (source == "storageos") {
    check_storage_os(errors, path / "storageos", *volume.storageos);
  } else {
    check_plain_source(errors, path, source, volume);
  }
}

}  // namespace berth::api
