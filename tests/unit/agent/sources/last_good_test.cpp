// SPDX-License-Identifier: Apache-2.0

// What is persisted of manifest files: nothing from a Secret reaches the disk, and everything else
// is unchanged.
#include "agent/sources/last_good.hpp"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <sstream>

#include <gtest/gtest.h>

#include "agent/sources/blocking_update.hpp"
#include "agent/sources/manifest_folder.hpp"
#include "tests/test_paths.hpp"

namespace berth::agent {
namespace {

using namespace std::chrono_literals;

const WallTime kNow{1'700'000'000s};
const std::string kBroken = "apiVersion: v1\nkind: Pod\nspec: {containers: 7}\n";
// The secret in plain text, in base64, in a comment, in kubectl's annotation, in a list.
const std::string kText = R"(# the old one was hunter2
apiVersion: v1
kind: Secret
metadata:
  name: keys
  annotations: {"kubectl.kubernetes.io/last-applied-configuration": "{password: hunter2}"}
stringData: {password: hunter2}
data: {other: aHVudGVyMg==}
---
apiVersion: v1
kind: List
items:
- apiVersion: v1
  kind: Secret
  metadata: {name: more}
  data: {other: aHVudGVyMg==}
- apiVersion: v1
  kind: ConfigMap
  metadata: {name: settings}
  data: {text: "plain\nlines\n", number: "0x10", empty: ""}
---
apiVersion: v1
kind: Pod
metadata: {name: web}
spec:
  containers:
  - name: app
    image: busybox:1
    envFrom: [{secretRef: {name: keys}}]
    command: [sh, -c, "echo '~' \"no\": 1"]
)";

FolderContent folder(const std::map<std::string, std::string>& texts) {
  FolderContent content{.path = "/m", .exists = true};
  for (const auto& [name, text] : texts) content.files.push_back({.name = name, .content = text});
  return content;
}

api::ManifestOptions options(api::ManifestRules rules = api::ManifestRules::kBerth) {
  return {.node_name = "n1", .rules = rules};
}

TEST(LastGood, nothing_of_a_secret_is_on_disk) {
  ManifestFolder state(options());
  update_blocking(state, folder({{"a.yaml", kText}}), kNow);
  const LastGoodTexts texts = state.good_texts();
  const std::string& on_disk = texts.on_disk.at("a.yaml");
  EXPECT_EQ(on_disk.find("hunter2"), std::string::npos) << on_disk;
  EXPECT_EQ(on_disk.find("aHVudGVyMg"), std::string::npos) << on_disk;
  EXPECT_NE(on_disk.find("kind: ConfigMap"), std::string::npos) << on_disk;
  EXPECT_NE(texts.in_memory.at("a.yaml").find("aHVudGVyMg"), std::string::npos);
}

TEST(LastGood, a_file_broken_while_nobody_looked_goes_on_with_its_secrets) {
  ManifestFolder before(options());
  const auto ran = update_blocking(before, folder({{"a.yaml", kText}}), kNow);
  ManifestFolder after(options());
  update_blocking(after, folder(joined(before.good_texts())), kNow);
  const auto goes_on = update_blocking(after, folder({{"a.yaml", kBroken}}), kNow);
  ASSERT_EQ(goes_on.desired.size(), 1U);
  EXPECT_EQ(goes_on.desired[0]->metadata.uid, ran.desired[0]->metadata.uid);
  EXPECT_EQ(goes_on.desired[0]->spec, ran.desired[0]->spec);
  EXPECT_EQ(*after.pod_objects(), *before.pod_objects());
  EXPECT_EQ(after.good_texts(), before.good_texts());
  EXPECT_EQ(after.report().secrets_at_risk,
            (std::vector<SecretAtRisk>{
                {.file = "a.yaml", .secret = "default/keys", .pods = {"default/web-n1"}},
                {.file = "a.yaml", .secret = "default/more"}}));
}

TEST(LastGood, after_a_reboot_the_rest_of_the_file_is_there_and_the_secret_is_missed) {
  ManifestFolder before(options());
  const auto ran = update_blocking(before, folder({{"a.yaml", kText}}), kNow);
  LastGoodTexts texts = before.good_texts();
  texts.in_memory.clear();
  ManifestFolder after(options());
  update_blocking(after, folder(joined(texts)), kNow);
  const auto goes_on = update_blocking(after, folder({{"a.yaml", kBroken}}), kNow);
  ASSERT_EQ(goes_on.desired.size(), 1U);
  EXPECT_EQ(goes_on.desired[0]->metadata.uid, ran.desired[0]->metadata.uid);
  EXPECT_EQ(after.pod_objects()->secret("default", "keys"), nullptr);
  EXPECT_EQ(after.report().secrets_at_risk,
            (std::vector<SecretAtRisk>{{.file = "a.yaml",
                                        .secret = "default/keys",
                                        .pods = {"default/web-n1"},
                                        .state = SecretState::kMissing}}));
  update_blocking(after, folder({{"a.yaml", kText}}), kNow);
  EXPECT_TRUE(after.report().secrets_at_risk.empty()) << "the file itself has them";
}

TEST(LastGood, what_an_earlier_berthd_kept_is_divided) {
  ManifestFolder state(options());
  update_blocking(state, folder(joined({.on_disk = {{"a.yaml", kText}}})), kNow);
  update_blocking(state, folder({{"a.yaml", kBroken}}), kNow);
  EXPECT_EQ(state.good_texts().on_disk.at("a.yaml").find("aHVudGVyMg"), std::string::npos);
  EXPECT_TRUE(state.good_texts().in_memory.contains("a.yaml"));
}

TEST(LastGood, where_a_broken_file_has_no_pods_nothing_is_kept) {
  ManifestFolder state(options(api::ManifestRules::kKubelet));
  const std::string pod = kText.substr(kText.rfind("---\n") + 4);
  update_blocking(state, folder({{"a.yaml", pod + "---\n" + kText}}), kNow);
  EXPECT_EQ(state.good_texts(), LastGoodTexts{});
}

// Manifests of all kinds: the kept text gives the same pods, including their uids.
TEST(LastGood, keeps_every_object_as_the_file_states_it) {
  std::size_t files = 0;
  for (const char* folder_name : {"tests/fuzz/corpus/manifest", "examples"}) {
    const auto path = source_dir() / folder_name;
    for (const auto& entry : std::filesystem::directory_iterator(path)) {
      std::ifstream input(entry.path(), std::ios::binary);
      std::ostringstream content;
      content << input.rdbuf();
      const auto file = api::decode_manifest("a.yaml", content.str(), options());
      if (!file) continue;
      LastGoodTexts texts;
      texts.add(*file);
      const auto all = joined(texts);
      if (all.empty()) continue;
      ++files;
      const auto again = api::decode_manifest("a.yaml", all.at("a.yaml"), options());
      ASSERT_TRUE(again) << entry.path() << api::to_string(again.error().front());
      LastGoodTexts once_more;
      once_more.add(*again);
      EXPECT_EQ(once_more, texts) << entry.path();
      ASSERT_EQ(again->documents.size(), file->documents.size()) << entry.path();
      for (const auto& document : file->documents) {
        const auto* pod = std::get_if<api::ManifestPod>(&document.object);
        if (pod == nullptr) continue;
        const auto same = std::ranges::any_of(again->documents, [&](const auto& other) {
          const auto* kept = std::get_if<api::ManifestPod>(&other.object);
          return kept != nullptr && kept->pod == pod->pod;
        });
        EXPECT_TRUE(same) << entry.path() << ": " << pod->pod.metadata.name;
      }
    }
  }
  EXPECT_GE(files, 10U);
}

}  // namespace
}  // namespace berth::agent
