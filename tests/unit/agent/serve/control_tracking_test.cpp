// SPDX-License-Identifier: Apache-2.0

#include <chrono>

#include <gtest/gtest.h>

#include "agent/serve/control_calls.hpp"

namespace berth::agent {
namespace {

using namespace std::chrono_literals;

TEST(ControlTrackingTest, status_warns_when_probes_come_near_the_limit_of_tracked_connections) {
  probes::TrackingReport report{
      .table = {.entries = 40'000, .limit = 262'144, .kept_closed = 120s, .kept_reset = 10s},
      .a_second = 33};
  wire::StatusReply calm;
  put(report, calm);
  EXPECT_EQ(calm.warnings_size(), 0);
  EXPECT_EQ(calm.connection_tracking().resets(), "");
  EXPECT_EQ(calm.connection_tracking().limit(), 262'144U);

  report = {.table = report.table, .a_second = 14'000, .closing = probes::Closing::kReset};
  report.table.entries = 140'000;
  wire::StatusReply near;
  put(report, near);
  ASSERT_EQ(near.warnings_size(), 1);
  EXPECT_TRUE(near.warnings(0).starts_with("connection tracking: 140000 of 262144"));
  EXPECT_TRUE(near.connection_tracking().resets().starts_with("14000 connections a second"));
}

}  // namespace
}  // namespace berth::agent
