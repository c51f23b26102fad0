// SPDX-License-Identifier: Apache-2.0

// Manifests that are lost by mistake (emptied, partly written, or with their folder), broken
// manifests of any size, and manifests that claim another pod's uid.
#include <gtest/gtest.h>

#include "tests/unit/agent/sources/folder_texts.hpp"

namespace berth::agent {
namespace {

TEST(ManifestLoss, an_emptied_file_keeps_its_pods_and_is_reported) {
  for (const std::string emptied :
       {"", "# nothing\n", "---", "---\n", "null", "null\n", "---\n# nothing\n---\nnull\n"}) {
    ManifestFolder state(options());
    const auto before = update_blocking(state, folder({{"a.yaml", pod_text("web")}}), kNow);
    const auto after = update_blocking(state, folder({{"a.yaml", emptied}}), kNow);
    EXPECT_EQ(after.desired, before.desired) << emptied;
    ASSERT_EQ(after.new_problems.size(), 1U) << emptied;
    EXPECT_EQ(after.new_problems[0].message,
              "it held objects and holds none any more; remove the file to end its pods");
    EXPECT_EQ(after.new_problems[0].kept_pods.size(), 1U);
    EXPECT_TRUE(update_blocking(state, folder({{"a.yaml", emptied}}), kNow).new_problems.empty());
    const auto back = update_blocking(state, folder({{"a.yaml", pod_text("web")}}), kNow);
    EXPECT_EQ(back.desired, before.desired);
    EXPECT_EQ(back.mended_files, std::vector<std::string>{"a.yaml"});
    EXPECT_TRUE(update_blocking(state, folder({}), kNow).desired.empty());
  }
}

TEST(ManifestLoss, what_is_being_written_stays_as_it_was_but_by_the_kubelets_rules) {
  for (const auto rules : {api::ManifestRules::kBerth, api::ManifestRules::kKubelet}) {
    ManifestFolder state(options(rules));
    const auto before = update_blocking(state, folder({{"a.yaml", pod_text("web")}}), kNow);
    FolderContent half = folder({{"a.yaml", "apiVersion: v1\nki"}, {"b.yaml", "kind: "}});
    for (FolderFile& file : half.files) file.being_written = true;
    const auto meanwhile = update_blocking(state, std::move(half), kNow);
    if (rules == api::ManifestRules::kKubelet) {
      EXPECT_TRUE(meanwhile.desired.empty());
      continue;
    }
    EXPECT_EQ(meanwhile.desired, before.desired);
    EXPECT_TRUE(meanwhile.new_problems.empty());
    const auto after = update_blocking(state, folder({{"a.yaml", pod_text("other")}}), kNow);
    ASSERT_EQ(after.desired.size(), 1U);
    EXPECT_NE(after.desired, before.desired);
  }
}

// A new folder state, as after a start of berthd: only what a copy of the last good version states
// goes on, and a file of which nobody knew anything waits.
TEST(ManifestLoss, what_is_being_written_at_the_start_goes_on_from_its_copy_or_waits) {
  const auto copy = folder({{"a.yaml", pod_text("web")}});
  ManifestFolder state(options());
  const auto before = update_blocking(state, copy, kNow);
  FolderContent half = folder({{"a.yaml", pod_text("other")}, {"b.yaml", pod_text("new")}});
  for (FolderFile& file : half.files) file.being_written = true;
  const auto meanwhile = update_blocking(state, std::move(half), kNow);
  EXPECT_EQ(meanwhile.desired, before.desired);
  EXPECT_TRUE(meanwhile.new_problems.empty());
  const auto closed = update_blocking(
      state, folder({{"a.yaml", pod_text("web")}, {"b.yaml", pod_text("new")}}), kNow);
  EXPECT_EQ(names(closed.desired), (Names{"web-n1", "new-n1"}));
}

// inotify tells of no writer that began before berthd did, so what is there is read: a first part
// of the file that is valid by itself is taken for the whole.
TEST(ManifestLoss, half_of_a_file_at_the_start_is_broken_unless_it_is_valid_by_itself) {
  const std::string whole = pod_text("web") + "---\n" + pod_text("second");
  ManifestFolder state(options());
  static_cast<void>(update_blocking(state, folder({{"a.yaml", whole}}), kNow));
  const std::string torn = whole.substr(0, whole.size() - 30);
  const auto broken = update_blocking(state, folder({{"a.yaml", torn}}), kNow);
  EXPECT_EQ(names(broken.desired), (Names{"web-n1", "second-n1"}));
  EXPECT_FALSE(broken.new_problems.empty());
  const auto valid = update_blocking(state, folder({{"a.yaml", pod_text("web")}}), kNow);
  EXPECT_EQ(names(valid.desired), Names{"web-n1"});
}

TEST(ManifestLoss, a_good_version_is_kept_anew_only_when_it_changes) {
  ManifestFolder state(options());
  static_cast<void>(update_blocking(state, folder({{"a.yaml", pod_text("web")}}), kNow));
  const auto first = state.good_version();
  const LastGoodTexts texts = state.good_texts();
  EXPECT_TRUE(texts.on_disk.contains("a.yaml"));
  for (const auto& same : {pod_text("web"), std::string("kind: "), std::string("# nothing\n")}) {
    static_cast<void>(update_blocking(state, folder({{"a.yaml", same}}), kNow));
    EXPECT_EQ(state.good_version(), first) << same;
    EXPECT_EQ(state.good_texts(), texts) << same;
  }
  static_cast<void>(update_blocking(state, folder({{"a.yaml", pod_text("other")}}), kNow));
  const auto edited = state.good_version();
  EXPECT_NE(edited, first);
  EXPECT_NE(state.good_texts(), texts);
  static_cast<void>(update_blocking(state, folder({}), kNow));
  EXPECT_NE(state.good_version(), edited);
  EXPECT_EQ(state.good_texts(), LastGoodTexts{});
}

TEST(ManifestLoss, a_file_that_never_held_anything_is_no_problem) {
  ManifestFolder state(options());
  EXPECT_TRUE(
      update_blocking(state, folder({{"a.yaml", "# to come\n"}}), kNow).new_problems.empty());
}

TEST(ManifestLoss, a_folder_that_cannot_be_read_changes_nothing) {
  ManifestFolder state(options());
  const auto before = update_blocking(state, folder({{"a.yaml", pod_text("web")}}), kNow);
  FolderContent unreadable{.path = "/m", .exists = true, .unreadable = "Input/output error"};
  const auto after = update_blocking(state, std::move(unreadable), kNow);
  EXPECT_EQ(before.desired, after.desired);
  EXPECT_EQ(after.new_problems.size(), 1U);
}

TEST(ManifestLoss, a_folder_that_vanishes_ends_nothing_but_by_the_kubelets_rules) {
  for (const auto rules : {api::ManifestRules::kBerth, api::ManifestRules::kKubelet}) {
    ManifestFolder state(options(rules));
    const auto before = update_blocking(state, folder({{"a.yaml", pod_text("web")}}), kNow);
    ASSERT_EQ(before.desired.size(), 1U);
    const auto after = update_blocking(state, FolderContent{.path = "/m"}, kNow);
    EXPECT_FALSE(state.report().exists);
    if (rules == api::ManifestRules::kKubelet) {
      EXPECT_TRUE(after.desired.empty());
      continue;
    }
    EXPECT_EQ(after.desired, before.desired);
    ASSERT_EQ(after.new_problems.size(), 1U);
    EXPECT_EQ(after.new_problems[0].message,
              "the manifest folder does not exist any more; its pods stay as they are");
    EXPECT_EQ(update_blocking(state, folder({{"a.yaml", pod_text("web")}}), kNow).desired,
              before.desired);
  }
}

TEST(ManifestLoss, a_single_file_that_vanishes_ends_its_pods) {
  ManifestFolder state(options());
  FolderContent single = folder({{"a.yaml", pod_text("web")}});
  single.single_file = true;
  ASSERT_EQ(update_blocking(state, std::move(single), kNow).desired.size(), 1U);
  EXPECT_TRUE(update_blocking(state, FolderContent{.path = "/m/a.yaml"}, kNow).desired.empty());
}

TEST(ManifestProblems, lists_the_first_twenty_problems_of_a_file_and_counts_the_rest) {
  ManifestFolder state(options());
  std::string broken;
  for (int i = 0; i < 1000; ++i) broken += "---\n" + kBroken;
  const auto outcome = update_blocking(state, folder({{"a.yaml", broken}}), kNow);
  ASSERT_EQ(outcome.new_problems.size(), 21U);
  EXPECT_EQ(outcome.new_problems.back().message, "980 more problems are not listed");
}

std::string stating(const std::string& name, const std::string& uid) {
  std::string text = pod_text(name);
  return text.insert(text.find("spec:"), "  uid: " + uid + "\n");
}

TEST(ManifestUids, a_second_pod_with_a_uid_is_refused_and_waits_for_the_first_to_go) {
  ManifestFolder state(options());
  const auto first = update_blocking(state, folder({{"b.yaml", stating("web", "u1")}}), kNow);
  ASSERT_EQ(names(first.desired), Names{"web-n1"});
  const auto both = update_blocking(
      state, folder({{"a.yaml", stating("thief", "u1")}, {"b.yaml", stating("web", "u1")}}), kNow);
  EXPECT_EQ(both.desired, first.desired);
  ASSERT_EQ(both.new_problems.size(), 1U);
  EXPECT_EQ(both.new_problems[0].file, "a.yaml");
  EXPECT_EQ(both.new_problems[0].path, "metadata.uid");
  EXPECT_EQ(both.new_problems[0].message,
            "Duplicate value: \"u1\": Pod default/web-n1 of b.yaml has it, and each pod needs its "
            "own");
  EXPECT_EQ(state.file_of("u1"), "b.yaml");
  const auto next = state.next_incarnation(*first.desired[0], kNow);
  ASSERT_TRUE(next);
  EXPECT_EQ(next->metadata.name, "web-n1");
  const auto alone = update_blocking(state, folder({{"a.yaml", stating("thief", "u1")}}), kNow);
  EXPECT_EQ(names(alone.desired), Names{"thief-n1"});
}

TEST(ManifestUids, a_restart_of_berthd_leaves_a_uid_to_the_pod_that_runs_under_it) {
  ManifestFolder state(options());
  const FoundPod found{.uid = "u1", .namespace_ = "default", .name = "web-n1"};
  state.recover({found});
  const auto both = update_blocking(
      state, folder({{"a.yaml", stating("thief", "u1")}, {"b.yaml", stating("web", "u1")}}), kNow);
  EXPECT_EQ(names(both.desired), Names{"web-n1"});
}

}  // namespace
}  // namespace berth::agent
