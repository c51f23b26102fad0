// SPDX-License-Identifier: Apache-2.0

#include <gtest/gtest.h>

#include "api/codec.hpp"
#include "api/defaults.hpp"
#include "api/validation/validate.hpp"

namespace berth::api {
namespace {

// The problems of a pod with one volume, named v, of this source.
std::string problems_of_volume(const std::string& source) {
  const auto tree = parse_first_document(
      "# pod\n{apiVersion: v1, kind: Pod, metadata: {name: p, namespace: default}, spec: "
      "{containers: [{name: c, image: i}], volumes: [{name: v, " +
      source + "}]}}");
  if (!tree) return to_string(tree.error().front());
  auto pod = decode<Pod>(*tree, FieldValidation::kStrict);
  if (!pod) return to_string(pod.error().front());
  apply_defaults(pod->object);
  return kubelet_list(validate_pod(pod->object));
}

TEST(ValidateVolumes, every_kind_in_a_projected_source_is_checked_and_their_number_last) {
  EXPECT_EQ(problems_of_volume("projected: {sources: [{secret: {}, configMap: "
                               "{}, downwardAPI: {items: [{path: p}]}}, {secret: {name: s}}]}"),
            "[spec.volumes[0].projected.sources[0].secret.name: Required value "
            "spec.volumes[0].projected.sources[0].configMap.name: Required value "
            "spec.volumes[0].projected.sources[0].downwardAPI: Required value: one of fieldRef and "
            "resourceFieldRef is required spec.volumes[0].projected.sources[0]: Forbidden: may not "
            "specify more than 1 volume type per source]");
}

TEST(ValidateVolumes, the_length_of_an_iscsi_target_is_judged_after_its_other_fields) {
  const std::string target(64, 't');
  EXPECT_EQ(problems_of_volume("iscsi: {targetPortal: " + target +
                               ", iqn: x, lun: 300, initiatorName: z}"),
            "[spec.volumes[0].iscsi.iqn: Invalid value: \"x\": must be valid format starting with "
            "iqn, eui, or naa spec.volumes[0].iscsi.lun: Invalid value: 300: must be between 0 and "
            "255, inclusive spec.volumes[0].iscsi.initiatorname: Invalid value: \"z\": must be "
            "valid format starting with iqn, eui, or naa spec.volumes[0].name: Invalid value: "
            "\"v\": Total length of <volume name>:<iscsi.targetPortal> must be under 64 characters "
            "if iscsi.initiatorName is specified.]");
}

TEST(ValidateVolumes, fields_of_old_network_volumes_are_checked) {
  const std::string pairs = "must be a host:port pair or multiple pairs separated by commas";
  const std::string blob =
      ": supported values: \"https://{account-name}.blob.core.windows.net/{container-name}/"
      "{disk-name}.vhd\"";
  const struct {
    std::string spec;
    std::string problems;
  } cases[] = {
      {"azureDisk: {diskName: d, diskURI: 'https://d'}", ""},
      {"azureDisk: {diskName: d, diskURI: /subscriptions/d, kind: Managed}", ""},
      {"azureDisk: {diskName: d, diskURI: /subscriptions/d}",
       ".diskURI: Unsupported value: \"/subscriptions/d\"" + blob},
      {"azureDisk: {diskName: d, diskURI: 'https://d', kind: Managed, cachingMode: All}",
       ".cachingMode: Unsupported value: \"All\": supported values: \"None\", \"ReadOnly\", "
       "\"ReadWrite\" spec.volumes[0].azureDisk.diskURI: Unsupported value: \"https://d\": "
       "supported values: \"/subscriptions/{sub-id}/resourcegroups/{group-name}/providers/"
       "microsoft.compute/disks/{disk-id}\""},
      {"azureDisk: {diskName: d, diskURI: 'https://d', kind: Own}",
       ".kind: Unsupported value: \"Own\": supported values: \"Dedicated\", \"Managed\", "
       "\"Shared\""},
      {"azureDisk: {}",
       ".diskName: Required value spec.volumes[0].azureDisk.diskURI: Required value "
       "spec.volumes[0].azureDisk.diskURI: Unsupported value: \"\"" +
           blob},
      {"quobyte: {registry: 'a:1,[::1]:2,:', volume: v}", ""},
      {"quobyte: {registry: 'a:1,b,a:b:c', volume: v}",
       ".registry: Invalid value: \"a:1,b,a:b:c\": " + pairs +
           " spec.volumes[0].quobyte.registry: "
           "Invalid value: \"a:1,b,a:b:c\": " +
           pairs},
      {"quobyte: {}",
       ".registry: Required value: " + pairs + " spec.volumes[0].quobyte.volume: Required value"},
      {"quobyte: {registry: 'a:1', volume: v, tenant: " + std::string(64, 't') + "}", ""},
      {"quobyte: {registry: a, volume: v, tenant: " + std::string(65, 't') + "}",
       ".tenant: Required value: must be a UUID and may not exceed a length of 64 characters"},
      {"storageos: {volumeName: v, volumeNamespace: ns, secretRef: {name: s}}", ""},
      {"storageos: {secretRef: {}}",
       ".volumeName: Required value spec.volumes[0].storageos.secretRef.name: Required value"},
      {"storageos: {volumeName: a.b, volumeNamespace: a.b}",
       ".volumeName: Invalid value: \"a.b\": must not contain dots "
       "spec.volumes[0].storageos.volumeNamespace: Invalid value: \"a.b\": must not contain dots"},
      {"cinder: {volumeID: v, secretRef: {name: s}}", ""},
      {"cinder: {volumeID: v, secretRef: {}}", ".secretRef.name: Required value"},
      {"flocker: {datasetName: a/b}", ".datasetName: Invalid value: \"a/b\": must not contain '/'"},
      {"flocker: {datasetName: a, datasetUUID: b}",
       ": Invalid value: \"resource\": datasetName and datasetUUID can not be specified "
       "simultaneously"},
  };
  for (const auto& one : cases) {
    const std::string source = one.spec.substr(0, one.spec.find(':'));
    const std::string problem =
        one.problems.empty() ? "" : "spec.volumes[0]." + source + one.problems;
    EXPECT_EQ(problems_of_volume(one.spec), "[" + problem + "]") << one.spec;
  }
}

}  // namespace
}  // namespace berth::api
