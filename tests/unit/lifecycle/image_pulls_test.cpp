// SPDX-License-Identifier: Apache-2.0

// How the images of a pod's containers are pulled: pulls that fail, and what is remembered about
// them.
#include "tests/unit/lifecycle/pod_set_fixture.hpp"

namespace berth::lifecycle {
namespace {

api::Container with_image(const char* name, const char* image) {
  auto made = container(name, {"sim"});
  made.image = image;
  return made;
}

std::string waits_for(const api::PodStatus& status, std::size_t container) {
  const auto& waiting = status.containerStatuses.at(container).state.waiting;
  return waiting ? waiting->reason : std::string();
}

TEST_F(PodSetTest, an_image_that_failed_for_one_container_is_not_pulled_at_once_for_the_next) {
  desire({pod("u1", {with_image("one", "missing/app:1"), with_image("two", "missing/app:1")})});
  clock.advance(5s);
  EXPECT_EQ(recorded_events.count("Pulling: "), 1);
  EXPECT_EQ(waits_for(status(), 0), "ImagePullBackOff");
  EXPECT_EQ(waits_for(status(), 1), "ImagePullBackOff");
  clock.advance(10s);
  EXPECT_EQ(recorded_events.count("Pulling: "), 2) << "after 10 s, for one of them";
}

TEST_F(PodSetTest, an_image_that_one_container_waits_for_is_not_pulled_for_another_meanwhile) {
  desire({pod("u1", {with_image("one", "slow/app:1"), with_image("two", "slow/app:1")})});
  clock.advance(30s);
  EXPECT_EQ(recorded_events.count("Pulling: "), 1);
  EXPECT_EQ(live(), 2);
}

TEST_F(PodSetTest, a_failed_pull_is_reported_before_its_backoff) {
  desire({pod("u1", {with_image("one", "missing/app:1")})});
  clock.advance(5s);
  std::vector<std::string> reported;
  for (const std::string& text : recorded_events.texts)
    if (text.starts_with("Failed: Error") || text.starts_with("BackOff")) reported.push_back(text);
  EXPECT_EQ(reported, (std::vector<std::string>{"Failed: Error: ErrImagePull",
                                                "BackOff: Back-off pulling image \"missing/app:1\"",
                                                "Failed: Error: ImagePullBackOff"}));
}

TEST_F(PodSetTest, a_pull_that_fails_while_a_sidecar_is_down_is_stored) {
  auto made = pod("u1", {with_image("one", "missing/app:1")});
  auto side = container("side", {"sim", "exit=1", "after=100"});
  side.restartPolicy = "Always";
  made->spec.initContainers.push_back(side);
  desire({made});
  clock.advance(5s);
  ASSERT_EQ(recorded_events.count("Pulling: "), 1);
  ASSERT_EQ(live(), 0) << "the sidecar waits for its backoff";
  ASSERT_FALSE(store.recall().empty());
  EXPECT_EQ(store.recall().front()->pulls.entries.size(), 1U);
}

TEST_F(PodSetTest, a_pull_that_fails_for_another_one_holds_a_sidecar_back_like_its_own) {
  auto made = pod("u1", {container("main", {"sim"})});
  auto side = container("side", {"sim", "exit=1", "after=100"});
  side.restartPolicy = "Always";
  side.imagePullPolicy = "Always";
  made->spec.containers[0].imagePullPolicy = "Always";
  made->spec.initContainers.push_back(side);
  desire({made});
  while (live() == 0) clock.advance(1ms);
  runtime.set_faults({.pull_failed = 1000});
  clock.advance(8s);  // main's pull has failed, and the sidecar waits for the same image
  EXPECT_EQ(recorded_events.count("Pulling: "), 2);
  ASSERT_EQ(live(), 0);
  EXPECT_EQ(status().initContainerStatuses.at(0).state.waiting->reason, "ImagePullBackOff");
  runtime.set_faults({});
  clock.advance(60s);
  EXPECT_EQ(waits_for(status(), 0), "");
}

TEST_F(PodSetTest, the_backoff_of_a_pull_goes_on_over_a_restart) {
  const auto made = pod("u1", {with_image("one", "missing/app:1")});
  desire({made});
  clock.advance(2s);
  ASSERT_EQ(recorded_events.count("Pulling: "), 1);
  end_agent();
  begin_agent();
  desire({made});
  clock.advance(6s);
  EXPECT_EQ(recorded_events.count("Pulling: "), 1);
  clock.advance(4s);
  EXPECT_EQ(recorded_events.count("Pulling: "), 2);
}

}  // namespace
}  // namespace berth::lifecycle
