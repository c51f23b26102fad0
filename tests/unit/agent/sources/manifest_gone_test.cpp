// SPDX-License-Identifier: Apache-2.0

// What is remembered of manifests that are gone, and for how long.
#include <set>
#include <utility>

#include <gtest/gtest.h>

#include "tests/unit/agent/sources/folder_texts.hpp"

namespace berth::agent {
namespace {

const auto kAllIsLeft = [](const std::string& /*uid*/) { return true; };
const auto kNothingIsLeft = [](const std::string& /*uid*/) { return false; };

std::string edited(int number) {
  return pod_text("web", "  hostname: h" + std::to_string(number) + "\n");
}

PodPtr only_pod(ManifestFolder& state, const std::string& text, WallTime now = kNow) {
  const auto outcome = update_blocking(state, folder({{"a.yaml", text}}), now);
  EXPECT_EQ(outcome.desired.size(), 1U);
  return outcome.desired.empty() ? std::make_shared<const api::Pod>() : outcome.desired.front();
}

// The uids that still matter: those of which it is asked whether anything is left.
std::set<std::string> asked_of(ManifestFolder& state, const std::set<std::string>& left) {
  std::set<std::string> asked;
  state.forget_gone([&](const std::string& uid) {
    asked.insert(uid);
    return left.contains(uid);
  });
  return asked;
}

TEST(ManifestGone, a_thousand_edits_are_remembered_no_longer_than_their_pods_last) {
  ManifestFolder state(options());
  std::string before_last;
  std::string last;
  for (int i = 0; i < 1000; ++i) {
    const std::string now = only_pod(state, edited(i))->metadata.uid;
    // The pod before takes until the next edit to stop.
    EXPECT_LE(asked_of(state, {now, last}).size(), 2U) << i;
    before_last = std::exchange(last, now);
  }
  EXPECT_EQ(asked_of(state, {}), std::set<std::string>{before_last});
  EXPECT_TRUE(asked_of(state, {}).empty());
  EXPECT_EQ(only_pod(state, edited(999))->metadata.uid, last) << "what is wanted stays";
}

TEST(ManifestGone, one_that_comes_back_is_the_next_incarnation_while_anything_of_its_pods_is_left) {
  ManifestFolder state(options());
  const auto first = only_pod(state, pod_text("web"));
  const auto second = state.next_incarnation(*first, kNow);
  ASSERT_NE(second, nullptr);
  update_blocking(state, folder({}), kNow);
  EXPECT_EQ(asked_of(state, {first->metadata.uid}),
            (std::set<std::string>{first->metadata.uid, second->metadata.uid}));
  const auto third = only_pod(state, pod_text("web"));
  EXPECT_EQ(third->metadata.annotations.at("berth.dev/incarnation"), "3");
}

TEST(ManifestGone, one_that_comes_back_begins_anew_once_nothing_of_its_pods_is_left) {
  ManifestFolder state(options());
  const auto first = only_pod(state, pod_text("web"));
  state.forget_gone(kNothingIsLeft);
  EXPECT_EQ(only_pod(state, pod_text("web")), first) << "it is wanted";
  update_blocking(state, folder({}), kNow);
  state.forget_gone(kAllIsLeft);
  state.forget_gone(kNothingIsLeft);
  static_cast<void>(state.collect_choices());
  EXPECT_EQ(only_pod(state, pod_text("web"))->metadata.uid, first->metadata.uid);
  const auto chosen = state.collect_choices();
  ASSERT_EQ(chosen.size(), 1U);
  EXPECT_EQ(chosen[0].question.cause, lifecycle::IncarnationCause::kFirstRead);
}

TEST(ManifestGone, a_pod_that_was_found_is_not_continued_once_it_is_gone) {
  ManifestFolder before(options());
  const auto found = before.next_incarnation(*only_pod(before, pod_text("web")), kNow);
  ManifestFolder state(options());
  state.recover({{.uid = found->metadata.uid, .incarnation = 2, .created_at = kNow}});
  EXPECT_EQ(only_pod(state, pod_text("web"))->metadata.uid, found->metadata.uid);
  update_blocking(state, folder({}), kNow);
  EXPECT_EQ(asked_of(state, {found->metadata.uid}), std::set<std::string>{found->metadata.uid});
  state.forget_gone(kNothingIsLeft);
  const auto anew = only_pod(state, pod_text("web"), kNow + 1h);
  EXPECT_NE(anew->metadata.uid, found->metadata.uid);
  EXPECT_EQ(anew->metadata.creationTimestamp->at, kNow + 1h);
}

TEST(ManifestGone, a_kubelets_pod_is_not_adopted_once_it_is_gone) {
  ManifestFolder state(options());
  state.recover({kubelets_pod("busybox:1")});
  EXPECT_EQ(only_pod(state, pod_text("web"))->metadata.uid, kKubeletsUid);
  update_blocking(state, folder({}), kNow);
  state.forget_gone(kNothingIsLeft);
  EXPECT_NE(only_pod(state, pod_text("web"))->metadata.uid, kKubeletsUid);
}

TEST(ManifestGone, edits_of_a_manifest_that_states_its_uid_are_not_remembered_one_by_one) {
  const auto stating = [](int number) {
    std::string text = edited(number);
    return text.insert(text.find("spec:"), "  uid: u1\n");
  };
  ManifestFolder state(options());
  for (int i = 0; i < 10; ++i) {
    EXPECT_EQ(only_pod(state, stating(i))->metadata.uid, "u1");
    EXPECT_TRUE(asked_of(state, {"u1"}).empty()) << i;
  }
  update_blocking(state, folder({}), kNow);
  EXPECT_EQ(asked_of(state, {"u1"}), std::set<std::string>{"u1"});
  EXPECT_EQ(only_pod(state, stating(9))->metadata.annotations.at("berth.dev/incarnation"), "2");
}

}  // namespace
}  // namespace berth::agent
