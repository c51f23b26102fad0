// SPDX-License-Identifier: Apache-2.0

// What a kubelet would make of pods that share a file.
#include "agent/doctor/doctor_takeover.hpp"

#include <gtest/gtest.h>

namespace berth::agent {
namespace {

std::string manifest(const std::string& metadata) {
  return "apiVersion: v1\nkind: Pod\nmetadata: {" + metadata +
         "}\nspec:\n  containers:\n  - {name: c, image: 'busybox:1'}\n";
}

DesiredPod desired(const char* name, const char* file) {
  auto pod = std::make_shared<api::Pod>();
  pod->metadata.name = name;
  pod->metadata.namespace_ = "default";
  pod->status.phase = "Running";
  return {.pod = std::move(pod), .file = file};
}

TEST(DoctorTakeover, says_of_pods_that_share_a_file_what_holds_for_each_in_their_order) {
  Settings settings;
  settings.node_name = "node1";
  const ManifestReport report{.path = "/m", .exists = true};
  DoctorInput input{.settings = settings, .manifests = report};
  input.texts = {
      {.file = "all.yaml", .content = manifest("name: web") + "---\n" + manifest("name: api")},
      {.file = "db.yaml",
       .content = manifest("name: db, uid: 11111111-2222-3333-4444-555555555555")}};
  input.pods = {desired("web-node1", "all.yaml"), desired("gone-node1", "gone.yaml"),
                desired("db-node1", "db.yaml"), desired("api-node1", "all.yaml"),
                desired("unwanted-node1", "")};
  std::vector<std::string> said;
  for (const Finding& finding : examine_takeover(input))
    said.push_back(finding.subject + ": " + finding.text);
  EXPECT_EQ(said, (std::vector<std::string>{
                      "default/web-node1: a kubelet would recreate it: it gives the pod a uid of "
                      "its own; a metadata.uid in all.yaml prevents that",
                      "default/gone-node1: a kubelet would end it: gone.yaml cannot be read now",
                      "default/api-node1: a kubelet would end it: of all.yaml it reads the first "
                      "document only; give the pod a file of its own"}));
}

}  // namespace
}  // namespace berth::agent
