// SPDX-License-Identifier: Apache-2.0

// Containers that the runtime refuses to create: how often berthd retries, what it pulls for them,
// and what it reports.
#include <gtest/gtest.h>

#include "tests/unit/lifecycle/pod_set_fixture.hpp"

namespace berth::lifecycle {
namespace {

constexpr const char* kRefusal =
    "cannot load seccomp profile \"/var/lib/berth/seccomp/none.json\": open "
    "/var/lib/berth/seccomp/none.json: no such file or directory";

// The pod's seccomp profile does not exist, and its image is pulled under the given policy.
std::shared_ptr<api::Pod> refused_pod(const char* pull_policy) {
  auto made = pod("u1", {container("main", {"sim"})});
  made->spec.containers[0].image = "registry/app:1";
  made->spec.containers[0].imagePullPolicy = pull_policy;
  made->spec.securityContext = api::PodSecurityContext{
      .seccompProfile = api::SeccompProfile{.type = "Localhost", .localhostProfile = "none.json"}};
  return made;
}

// Facts of the ledger as "RULE: text", in order.
class RecordedFacts final : public Ledger {
 public:
  void write(LedgerRecord record) override {
    if (record.kind != kLedgerFact) return;
    for (const Reason& reason : record.reasons) texts.push_back(reason.rule + ": " + reason.text);
  }

  std::vector<std::string> texts{};
};

class RefusedStarts : public PodSetTest {
 protected:
  void SetUp() override {
    ledger = &recorded_facts;
    PodSetTest::SetUp();
  }

  [[nodiscard]] std::int64_t refusals() const {
    return recorded_events.count("Failed: Error: cannot load");
  }
  [[nodiscard]] std::int64_t pulls() const { return recorded_events.count("Pulling: "); }

  RecordedFacts recorded_facts{};
};

TEST_F(RefusedStarts, are_repeated_with_growing_pauses_three_times_in_twelve_seconds) {
  desire({refused_pod("IfNotPresent")});
  std::vector<std::int64_t> by_then;
  for (const auto pause : {12s, 11s, 32s, 60s}) {
    clock.advance(pause);
    by_then.push_back(refusals());
  }
  // At 0, 2, 6, 14, 29, 44, 59 … s, and a little for the pull at the start.
  EXPECT_EQ(by_then, (std::vector<std::int64_t>{3, 4, 6, 10}));
}

TEST_F(RefusedStarts, do_not_pull_again_each_time_under_always) {
  desire({refused_pod("Always")});
  clock.advance(12s);
  EXPECT_EQ(refusals(), 3);
  EXPECT_EQ(pulls(), 1);
  clock.advance(98s);
  // An image that was fixed under the same name is still found: after 10 s, then 20, 40 …
  EXPECT_EQ(pulls(), 4);
  EXPECT_EQ(refusals(), 10);
}

TEST_F(RefusedStarts, are_reported_in_the_runtimes_words_and_explained_with_the_call) {
  desire({refused_pod("IfNotPresent")});
  clock.advance(1s);
  const api::ContainerStatus& main = status().containerStatuses.at(0);
  ASSERT_TRUE(main.state.waiting);
  EXPECT_EQ(main.state.waiting->reason, "CreateContainerError");
  EXPECT_EQ(main.state.waiting->message, kRefusal);
  EXPECT_EQ(recorded_events.count("Failed: Error: " + std::string(kRefusal)), 1);
  const std::string fact =
      "StartFailed: CreateContainerError: CreateContainer: rpc error: code = Unknown desc = ";
  EXPECT_EQ(std::ranges::count(recorded_facts.texts, fact + kRefusal), 1);
}

TEST_F(RefusedStarts, of_images_that_are_not_there_are_as_rare) {
  auto absent = pod("u1", {container("main", {"sim"})});
  absent->spec.containers[0].image = "registry/app:1";
  absent->spec.containers[0].imagePullPolicy = "Never";
  desire({absent});
  clock.advance(12s);
  EXPECT_EQ(recorded_events.count("ErrImageNeverPull: "), 3);
}

TEST_F(RefusedStarts, a_setting_that_the_machine_cannot_fulfil_is_reported_once) {
  auto labelled = pod("u1", {container("main", {"sim"})});
  labelled->spec.securityContext =
      api::PodSecurityContext{.seLinuxOptions = api::SELinuxOptions{.level = "s0:c1,c2"}};
  desire({labelled});
  clock.advance(1min);
  EXPECT_EQ(status().phase, "Running");
  const std::string text =
      "NotEnforced: spec.securityContext.seLinuxOptions: SELinux is not enabled on the host; the "
      "labels have no effect here";
  EXPECT_EQ(std::ranges::count(recorded_events.texts, text), 1);
  EXPECT_EQ(std::ranges::count(recorded_facts.texts, text), 1);
}

TEST_F(RefusedStarts, a_pod_that_asks_for_apparmor_fails_where_there_is_none) {
  auto confined = pod("u1", {container("main", {"sim"})});
  confined->metadata.annotations["container.apparmor.security.beta.kubernetes.io/main"] =
      "localhost/k8s-deny";
  desire({confined});
  clock.advance(1s);
  EXPECT_EQ(status().phase, "Failed");
  EXPECT_EQ(status().reason, "AppArmor");
  EXPECT_EQ(status().message,
            "Pod was rejected: Cannot enforce AppArmor: AppArmor is not enabled on the host");
  EXPECT_EQ(recorded_events.count(
                "AppArmor: Cannot enforce AppArmor: AppArmor is not enabled on the host"),
            1);
  EXPECT_TRUE(runtime.instances().empty());
}

}  // namespace
}  // namespace berth::lifecycle
