// SPDX-License-Identifier: Apache-2.0

#include "lifecycle/unsupported.hpp"

#include <functional>

#include <gtest/gtest.h>

#include "tests/unit/lifecycle/pod_builder.hpp"

namespace berth::lifecycle::test {
namespace {

std::vector<std::string> fields(const api::Pod& spec) {
  std::vector<std::string> out;
  for (const Unsupported& unsupported : unsupported_fields(spec)) out.push_back(unsupported.field);
  return out;
}

struct Row {
  const char* field;
  std::function<void(api::PodSpec&)> ask;
};

std::vector<Row> rows() {
  const auto volume = [](api::PodSpec& spec) -> api::Volume& {
    spec.containers[0].volumeMounts.emplace_back().name = "v";
    api::Volume& added = spec.volumes.emplace_back();
    added.name = "v";
    return added;
  };
  return {
      {"spec.volumes[0].projected.sources[0].serviceAccountToken",
       [=](auto& s) {
         volume(s).projected.emplace().sources.emplace_back().serviceAccountToken.emplace();
       }},
      {"spec.volumes[0].persistentVolumeClaim",
       [=](auto& s) { volume(s).persistentVolumeClaim.emplace(); }},
      {"spec.volumes[0].image", [=](auto& s) { volume(s).image.emplace(); }},
      {"spec.volumes[0].emptyDir.medium",
       [=](auto& s) { volume(s).emptyDir.emplace().medium = "HugePages-2Mi"; }},
      {"spec.containers[0].env[0].valueFrom.fileKeyRef",
       [](auto& s) {
         s.containers[0].env.emplace_back().valueFrom.emplace().fileKeyRef.emplace();
       }},
      {"spec.containers[0].volumeDevices",
       [](auto& s) { s.containers[0].volumeDevices.emplace_back(); }},
      {"spec.initContainers[0].volumeDevices",
       [](auto& s) {
         s.initContainers = {sidecar("proxy")};
         s.initContainers[0].volumeDevices.emplace_back();
       }},
      {"spec.ephemeralContainers", [](auto& s) { s.ephemeralContainers.emplace_back(); }},
      {"spec.serviceAccountName", [](auto& s) { s.serviceAccountName = "builder"; }},
      {"spec.automountServiceAccountToken", [](auto& s) { s.automountServiceAccountToken = true; }},
      {"spec.hostUsers", [](auto& s) { s.hostUsers = false; }},
      {"spec.resourceClaims", [](auto& s) { s.resourceClaims.emplace_back(); }},
      {"spec.schedulingGates", [](auto& s) { s.schedulingGates.emplace_back(); }},
  };
}

TEST(Unsupported, names_each_field_by_its_path) {
  for (const Row& row : rows()) {
    api::Pod spec = pod({container("app")});
    row.ask(spec.spec);
    EXPECT_EQ(fields(spec), std::vector<std::string>{row.field});
  }
}

TEST(Unsupported, ordinary_pods_ask_for_nothing_special) {
  api::Pod spec = pod({container("app")});
  spec.spec.initContainers = {container("setup"), sidecar("proxy")};
  spec.spec.volumes.emplace_back().emptyDir.emplace();
  spec.spec.volumes.emplace_back().hostPath.emplace();
  spec.spec.volumes.emplace_back().emptyDir.emplace().medium = "Memory";
  spec.spec.volumes.emplace_back().configMap.emplace();
  spec.spec.volumes.emplace_back().secret.emplace();
  spec.spec.volumes.emplace_back().downwardAPI.emplace();
  spec.spec.volumes.emplace_back().projected.emplace().sources.emplace_back().secret.emplace();
  spec.spec.securityContext.emplace().fsGroup = 1;
  spec.spec.imagePullSecrets.emplace_back();
  spec.spec.containers[0].volumeMounts.emplace_back().subPath = "a";
  spec.spec.containers[0].envFrom.emplace_back().secretRef.emplace();
  spec.spec.containers[0].env.emplace_back().valueFrom.emplace().secretKeyRef.emplace();
  spec.spec.containers[0].env.emplace_back().valueFrom.emplace().fieldRef.emplace();
  spec.spec.containers[0].env.emplace_back().valueFrom.emplace().resourceFieldRef.emplace();
  spec.spec.containers[0].livenessProbe.emplace();
  spec.spec.containers[0].readinessProbe.emplace();
  spec.spec.initContainers[1].startupProbe.emplace();
  spec.spec.containers[0].lifecycle.emplace().preStop.emplace();
  spec.spec.containers[0].lifecycle->postStart.emplace();
  spec.spec.runtimeClassName = "runc";
  spec.spec.hostUsers = true;
  EXPECT_EQ(fields(spec), std::vector<std::string>{});
}

TEST(Unsupported, a_volume_that_no_container_uses_may_be_of_any_kind) {
  api::Pod spec = pod({container("app")});
  const auto unused = [&spec](const char* name) -> api::Volume& {
    api::Volume& volume = spec.spec.volumes.emplace_back();
    volume.name = name;
    return volume;
  };
  unused("claim").persistentVolumeClaim.emplace();
  unused("far").nfs.emplace();
  unused("pages").emptyDir.emplace().medium = "HugePages-2Mi";
  unused("token").projected.emplace().sources.emplace_back().serviceAccountToken.emplace();
  EXPECT_EQ(fields(spec), std::vector<std::string>{});
  spec.spec.initContainers = {container("setup")};
  spec.spec.initContainers[0].volumeMounts.emplace_back().name = "far";
  EXPECT_EQ(fields(spec), std::vector<std::string>{"spec.volumes[1].nfs"});
}

TEST(Unsupported, a_service_account_is_fine_if_its_token_is_not_wanted) {
  api::Pod spec = pod({container("app")});
  spec.spec.serviceAccountName = "default";
  spec.spec.automountServiceAccountToken = false;
  EXPECT_EQ(fields(spec), std::vector<std::string>{});
}

TEST(Unsupported, everything_is_reported_at_once) {
  api::Pod spec = pod({container("app")});
  spec.spec.containers[0].volumeDevices.emplace_back();
  spec.spec.hostUsers = false;
  EXPECT_EQ(unsupported_message(unsupported_fields(spec)),
            "this version of berth cannot run the pod: spec.containers[0].volumeDevices: block "
            "devices are not supported; spec.hostUsers: user namespaces are not supported");
}

}  // namespace
}  // namespace berth::lifecycle::test
