// SPDX-License-Identifier: Apache-2.0

// A pod whose manifest states its uid: an edit replaces it, and its successor has the same uid.
#include "node/sandbox_config.hpp"
#include "tests/unit/lifecycle/pod_set_fixture.hpp"

namespace berth::lifecycle {
namespace {

using namespace std::chrono_literals;

// A pod as the manifest folder makes it from a given text.
std::shared_ptr<api::Pod> pinned(const char* text, const char* variable) {
  auto made = pod("pinned", {container("web", {"sim"})});
  made->spec.containers[0].env.push_back({.name = "WHICH", .value = variable});
  made->metadata.annotations[node::kAnnotationManifest] = text;
  return made;
}

class PinnedUidTest : public PodSetTest {
 protected:
  // The texts from which the containers came, in order.
  [[nodiscard]] std::vector<std::string> started() const {
    std::vector<std::string> values;
    for (const auto& instance : runtime.instances()) {
      for (const auto& variable : instance.config.envs)
        if (variable.key == "WHICH") values.push_back(variable.value);
    }
    return values;
  }
};

TEST_F(PinnedUidTest, an_edit_ends_the_pod_and_begins_another_with_its_uid) {
  desire({pinned("one", "1")});
  clock.advance(2s);
  desire({pinned("two", "2")});
  ASSERT_TRUE(shown.last->metadata.deletionTimestamp.has_value());
  EXPECT_EQ(shown.last->spec.containers[0].env[0].value, "1") << "the old one is shown as it is";
  clock.advance(5s);
  EXPECT_EQ(shown.gone, std::vector<std::string>{"pinned"});
  EXPECT_EQ(started(), (std::vector<std::string>{"1", "2"}));
  EXPECT_EQ(shown.last->metadata.uid, "pinned");
  EXPECT_EQ(shown.last->spec.containers[0].env[0].value, "2");
  EXPECT_FALSE(shown.last->metadata.deletionTimestamp.has_value());
  EXPECT_EQ(status().phase, "Running");
  EXPECT_EQ(live(), 1);
}

TEST_F(PinnedUidTest, an_edit_made_while_no_berthd_was_there_does_the_same) {
  desire({pinned("one", "1")});
  clock.advance(2s);
  end_agent();
  begin_agent();
  desire({pinned("two", "2")});
  clock.advance(5s);
  EXPECT_TRUE(runtime.instances()[0].first_term);
  EXPECT_EQ(started(), (std::vector<std::string>{"1", "2"}));
  EXPECT_EQ(status().phase, "Running");
  EXPECT_EQ(live(), 1);
}

TEST_F(PinnedUidTest, a_berthd_that_is_killed_while_it_replaces_goes_on_with_it) {
  desire({pinned("one", "1")});
  clock.advance(2s);
  desire({pinned("two", "2")});
  end_agent();
  begin_agent();
  desire({pinned("two", "2")});
  clock.advance(5s);
  EXPECT_EQ(started(), (std::vector<std::string>{"1", "2"}));
  EXPECT_EQ(live(), 1);
}

TEST_F(PinnedUidTest, what_the_manifest_does_not_say_is_no_edit) {
  desire({pinned("one", "1")});
  clock.advance(2s);
  auto again = pinned("one", "1");
  again->spec.priority = 7;  // the value of its priority class was changed since
  desire({again});
  clock.advance(2s);
  end_agent();
  begin_agent();
  desire({again});
  clock.advance(2s);
  EXPECT_EQ(started(), std::vector<std::string>{"1"});
  EXPECT_EQ(shown.gone, std::vector<std::string>{});
}

TEST_F(PinnedUidTest, its_first_sandbox_waits_for_the_store) {
  store.set_full(true);
  desire({pinned("one", "1")});
  clock.advance(2s);
  EXPECT_TRUE(runtime.sandboxes().empty()) << "who finds it would take it for the pod of before";
  store.set_full(false);
  clock.advance(10s);
  EXPECT_EQ(live(), 1);
}

TEST_F(PinnedUidTest, what_was_refused_before_an_edit_is_not_stored_after_it) {
  const auto refused = [](const char* text, const char* zone) {
    auto made = pinned(text, "1");
    made->spec.nodeSelector["zone"] = zone;
    return made;
  };
  store.set_full(true);
  desire({refused("one", "a")});
  clock.advance(2s);
  desire({refused("two", "b")});
  clock.advance(1200ms);  // the next try for the first one comes after that for the second
  store.set_full(false);
  clock.advance(60s);
  ASSERT_EQ(store.recall().size(), 1U);
  const auto& stored = *store.recall().front();
  EXPECT_EQ(stored.verdict, Verdict::kRejected);
  EXPECT_EQ(stored.pod->metadata.annotations.at(node::kAnnotationManifest), "two");
  EXPECT_EQ(shown.last->spec.nodeSelector.at("zone"), "b");
}

TEST_F(PinnedUidTest, an_edited_job_that_had_finished_runs_anew) {
  auto job = pinned("one", "1");
  job->spec.restartPolicy = "Never";
  job->spec.containers[0].command = {"sim", "exit=0", "after=100"};
  desire({job});
  clock.advance(2s);
  EXPECT_EQ(status().phase, "Succeeded");
  end_agent();
  begin_agent();
  auto edited = std::make_shared<api::Pod>(*job);
  edited->spec.containers[0].env[0].value = "2";
  edited->metadata.annotations[node::kAnnotationManifest] = "two";
  desire({edited});
  clock.advance(5s);
  EXPECT_EQ(started(), (std::vector<std::string>{"1", "2"}));
  EXPECT_EQ(status().phase, "Succeeded");
}

}  // namespace
}  // namespace berth::lifecycle
