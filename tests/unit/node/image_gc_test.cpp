// SPDX-License-Identifier: Apache-2.0

// The set of known images between passes; the runs themselves are compared with recorded ones
// (tests/conformance, image_gc).
#include "node/image_gc.hpp"

#include <gtest/gtest.h>

namespace berth::node {
namespace {

using std::chrono::minutes;
using std::chrono::seconds;

constexpr SteadyTime kStart{std::chrono::hours(1)};

cri::Image image(const char* id, const char* tag, std::uint64_t size = 100) {
  return {.id = id, .repo_tags = {tag}, .repo_digests = {"reg.example/a@sha256:d1"}, .size = size};
}

TEST(FullImageName, is_what_runtimes_list) {
  EXPECT_EQ(full_image_name("busybox"), "docker.io/library/busybox:latest");
  EXPECT_EQ(full_image_name("team/app:v1"), "docker.io/team/app:v1");
  EXPECT_EQ(full_image_name("reg.example/app"), "reg.example/app:latest");
  const std::string digest = "sha256:" + std::string(64, 'a');
  EXPECT_EQ(full_image_name("reg.example/app:v1@" + digest), "reg.example/app@" + digest);
  EXPECT_EQ(full_image_name("Not An Image"), "Not An Image");
}

TEST(DetectImages, an_image_is_in_use_by_its_id_a_tag_or_a_digest) {
  for (const char* used : {"sha256:1", "docker.io/library/a:1", "reg.example/a@sha256:d1"}) {
    const auto known =
        detect_images({}, {image("sha256:1", "docker.io/library/a:1")}, {used}, kStart);
    EXPECT_TRUE(known.at("sha256:1").in_use) << used;
    EXPECT_EQ(known.at("sha256:1").last_used, kStart);
    EXPECT_EQ(known.at("sha256:1").name(), "docker.io/library/a:1");
  }
}

TEST(DetectImages, remembers_when_it_first_saw_and_last_saw_in_use_and_forgets_what_vanished) {
  const auto first = detect_images({}, {image("1", "a:1"), image("2", "b:1")}, {"1"}, kStart);
  const auto then = detect_images(first, {image("1", "a:1")}, {}, kStart + minutes(5));
  ASSERT_EQ(then.size(), 1U);
  EXPECT_EQ(then.at("1").first_detected, kStart);
  EXPECT_EQ(then.at("1").last_used, kStart);
  EXPECT_FALSE(then.at("1").in_use);
  const auto again = detect_images(then, {image("2", "b:1")}, {}, kStart + minutes(10));
  EXPECT_EQ(again.at("2").first_detected, kStart + minutes(10)) << "it was gone meanwhile";
}

ImageGcInput full_disk(std::vector<KnownImage> images) {
  return {.file_system = {.capacity = 1000, .available = 100},
          .uptime = minutes(10),
          .images = std::move(images),
          .now = kStart + minutes(10)};
}

TEST(ImageGc, a_step_says_which_and_why_and_the_end_how_much_room_was_made) {
  const auto input = full_disk({{.id = "1", .bytes = 60, .first_detected = kStart},
                                {.id = "2", .bytes = 70, .first_detected = kStart + seconds(1)}});
  const auto first = next_image_gc_step(input, {});
  ASSERT_TRUE(first.remove);
  EXPECT_EQ(first.remove->id, "1");
  EXPECT_EQ(to_string(first.reason), "space");
  EXPECT_EQ(first.why,
            "unused, and the images' file system is 90 % full (imageGCHighThresholdPercent 85)");
  const auto second = next_image_gc_step(input, {{.id = "1"}});
  ASSERT_TRUE(second.remove);
  EXPECT_EQ(second.remove->id, "2");
  const auto end = next_image_gc_step(input, {{.id = "1"}, {.id = "2"}});
  EXPECT_FALSE(end.remove);
  EXPECT_EQ(end.freed, 130);
  EXPECT_FALSE(end.failure) << "down to 80 % takes 100";
}

TEST(ImageGc, begins_at_the_high_threshold_and_ends_at_the_low_one) {
  auto input = full_disk({{.id = "1", .bytes = 49, .first_detected = kStart},
                          {.id = "2", .bytes = 1, .first_detected = kStart + seconds(1)},
                          {.id = "3", .bytes = 1, .first_detected = kStart + seconds(2)}});
  input.file_system.available = 150;
  ASSERT_TRUE(next_image_gc_step(input, {}).remove) << "85 % are full";
  ASSERT_TRUE(next_image_gc_step(input, {{.id = "1"}}).remove);
  EXPECT_FALSE(next_image_gc_step(input, {{.id = "1"}, {.id = "2"}}).remove) << "80 % are";
  input.file_system.available = 160;
  EXPECT_FALSE(next_image_gc_step(input, {}).remove) << "84 % are";
}

TEST(ImageGc, goes_on_after_an_image_that_cannot_be_removed_even_if_no_room_is_wanted) {
  auto input = full_disk({{.id = "1", .bytes = 60, .first_detected = kStart},
                          {.id = "2", .bytes = 70, .first_detected = kStart + seconds(1)},
                          {.id = "3", .bytes = 70, .first_detected = kStart + seconds(2)}});
  input.policy.high_percent = 80;
  input.file_system.available = 200;  // at both thresholds
  const auto next = next_image_gc_step(input, {{.id = "1", .error = "in use"}});
  ASSERT_TRUE(next.remove);
  EXPECT_EQ(next.remove->id, "2");
  const auto end = next_image_gc_step(input, {{.id = "1", .error = "in use"}, {.id = "2"}});
  EXPECT_FALSE(end.remove) << "one that went suffices";
  EXPECT_TRUE(end.failure);
}

TEST(ImageGc, an_image_that_is_too_old_goes_for_its_age_before_any_goes_for_room) {
  auto input = full_disk(
      {{.id = "old", .bytes = 10, .first_detected = kStart},
       {.id = "used", .bytes = 20, .first_detected = kStart, .last_used = kStart + minutes(9)}});
  input.policy.max_age = minutes(5);
  const auto first = next_image_gc_step(input, {});
  ASSERT_TRUE(first.remove);
  EXPECT_EQ(first.remove->id, "old");
  EXPECT_EQ(to_string(first.reason), "age");
  const auto second = next_image_gc_step(input, {{.id = "old"}});
  ASSERT_TRUE(second.remove);
  EXPECT_EQ(to_string(second.reason), "space");
}

TEST(ImageGc, what_a_pod_uses_what_is_pinned_and_what_has_just_come_stays_and_is_missed) {
  auto input = full_disk({{.id = "1", .bytes = 500, .in_use = true},
                          {.id = "2", .bytes = 500, .pinned = true},
                          {.id = "3", .bytes = 500, .first_detected = kStart + minutes(9)}});
  const auto step = next_image_gc_step(input, {});
  EXPECT_FALSE(step.remove);
  ASSERT_TRUE(step.failure);
  EXPECT_EQ(step.failure->event, "FreeDiskSpaceFailed");
}

TEST(ImageGc, is_off_without_both_a_threshold_and_an_age) {
  EXPECT_FALSE(image_gc_disabled({}));
  EXPECT_TRUE(image_gc_disabled({.high_percent = 100}));
  EXPECT_FALSE(image_gc_disabled({.high_percent = 100, .max_age = minutes(1)}));
}

}  // namespace
}  // namespace berth::node
