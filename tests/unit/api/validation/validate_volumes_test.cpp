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

}  // namespace
}  // namespace berth::api
