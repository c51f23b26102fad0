// SPDX-License-Identifier: Apache-2.0

#include "lifecycle/image_pull_backoff.hpp"

#include <gtest/gtest.h>

#include "tests/unit/lifecycle/pod_builder.hpp"

namespace berth::lifecycle::test {
namespace {

using std::chrono::seconds;

const ImagePullBackoffPolicy kPolicy;

ImagePullBackoff failed(ImagePullBackoff history, double when) {
  return record_pull_failure(std::move(history), kPolicy, "uid-1", "app:1", "ErrImagePull",
                             "no such host", at(when));
}

TEST(ImagePullBackoff, windows_double_from_the_last_failure) {
  ImagePullBackoff history;
  double now = 0;
  std::vector<long> windows;
  for (int i = 0; i < 7; ++i) {
    history = failed(std::move(history), now);
    const auto verdict = check_pull(history, kPolicy, "uid-1", "app:1", at(now));
    windows.push_back(std::chrono::duration_cast<seconds>(verdict.until - at(now)).count());
    now += static_cast<double>(windows.back());
    EXPECT_FALSE(check_pull(history, kPolicy, "uid-1", "app:1", at(now)).in_backoff);
  }
  EXPECT_EQ(windows, (std::vector<long>{10, 20, 40, 80, 160, 300, 300}));
}

TEST(ImagePullBackoff, refusal_repeats_the_last_failure) {
  const auto verdict = check_pull(failed({}, 0), kPolicy, "uid-1", "app:1", at(1));
  EXPECT_EQ(verdict.reason, "ImagePullBackOff");
  EXPECT_EQ(verdict.event_message, "Back-off pulling image \"app:1\"");
  EXPECT_EQ(verdict.message, "Back-off pulling image \"app:1\": ErrImagePull: no such host");
}

TEST(ImagePullBackoff, pods_and_images_do_not_share_windows) {
  const auto history = failed({}, 0);
  EXPECT_FALSE(check_pull(history, kPolicy, "uid-2", "app:1", at(1)).in_backoff);
  EXPECT_FALSE(check_pull(history, kPolicy, "uid-1", "app:2", at(1)).in_backoff);
}

TEST(ImagePullBackoff, a_failure_after_ten_quiet_minutes_begins_anew) {
  auto history = failed(failed({}, 0), 10);
  EXPECT_EQ(history.entries.begin()->second.window, seconds{20});
  history = failed(std::move(history), 611);
  EXPECT_EQ(history.entries.begin()->second.window, seconds{10});
}

TEST(ImagePullBackoff, forgets_old_entries) {
  const auto history = failed({}, 0);
  EXPECT_EQ(collect_garbage(history, kPolicy, at(600)).entries.size(), 1U);
  EXPECT_TRUE(collect_garbage(history, kPolicy, at(601)).entries.empty());
}

}  // namespace
}  // namespace berth::lifecycle::test
