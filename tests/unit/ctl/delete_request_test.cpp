// SPDX-License-Identifier: Apache-2.0

#include "ctl/delete_request.hpp"

#include <gtest/gtest.h>

namespace berth::ctl {
namespace {

using namespace std::chrono_literals;

TEST(DeleteRequest, asks_as_kubectl_does) {
  struct Case {
    const char* what;
    DeleteOptions asked;
    std::optional<std::int64_t> grace;
    bool force = false;
  };
  const Case cases[] = {
      {"nothing", {}, std::nullopt},
      {"a period", {.grace = 5}, 5},
      {"a negative one", {.grace = -1}, std::nullopt},
      {"0 is 1", {.grace = 0}, 1},
      {"now", {.now = true}, 1},
      {"now, negative", {.grace = -1, .now = true}, 1},
      {"force", {.force = true}, 0, true},
      {"force with 0", {.grace = 0, .force = true}, 0, true},
      {"force, negative", {.grace = -1, .force = true}, 0, true},
  };
  for (const Case& one : cases) {
    const auto request = as_kubectl_asks(one.asked);
    ASSERT_TRUE(request) << one.what;
    EXPECT_EQ(request->grace, one.grace) << one.what;
    EXPECT_EQ(request->force, one.force) << one.what;
  }
}

TEST(DeleteRequest, contradictions_are_refused) {
  EXPECT_FALSE(as_kubectl_asks({.grace = 5, .now = true}));
  EXPECT_FALSE(as_kubectl_asks({.grace = 0, .now = true}));
  EXPECT_FALSE(as_kubectl_asks({.grace = 5, .force = true}));
  EXPECT_FALSE(as_kubectl_asks({.now = true, .force = true}));
}

TEST(DeleteRequest, no_timeout_is_as_long_as_it_takes) {
  EXPECT_EQ(as_kubectl_asks({.timeout = 0s})->timeout, std::nullopt);
  EXPECT_EQ(as_kubectl_asks({.timeout = 5s})->timeout, 5s);
}

}  // namespace
}  // namespace berth::ctl
