// SPDX-License-Identifier: Apache-2.0

// What the control API reports about a shutdown.
#include "agent/shutdown/shutdown_wire.hpp"

#include <gtest/gtest.h>

namespace berth::agent {
namespace {

using namespace std::chrono_literals;

lifecycle::PodPtr pod(const char* name, std::int32_t priority, std::int64_t own) {
  auto made = std::make_shared<api::Pod>();
  made->metadata.namespace_ = "shop";
  made->metadata.name = name;
  made->metadata.uid = std::string("uid-") + name;
  made->spec.priority = priority;
  made->spec.terminationGracePeriodSeconds = own;
  return made;
}

TEST(ShutdownWire, names_each_pods_turn_and_who_may_be_lost) {
  wire::PlanShutdownReply reply;
  put({{{0, 20s}, {1000, 5s}, {2'000'000'000, 10s}}, "shutdownGracePeriodByPodPriority"},
      {pod("web", 0, 30), pod("db", 500, 12), pod("dns", 2'000'000'000, 4)},
      {.connected = true, .longest_delay = 23500ms, .lock = systemd::DelayLock::held()}, reply);
  ASSERT_EQ(reply.groups_size(), 3);
  const auto& first = reply.groups(0);
  EXPECT_EQ(first.begins_seconds(), 0);
  EXPECT_EQ(first.period_seconds(), 20);
  ASSERT_EQ(first.pods_size(), 2);
  EXPECT_EQ(first.pods(0).name(), "db") << "by priority";
  EXPECT_EQ(first.pods(0).grace_seconds(), 12);
  EXPECT_FALSE(first.pods(0).cut_short());
  EXPECT_EQ(first.pods(1).name(), "web");
  EXPECT_EQ(first.pods(1).namespace_(), "shop");
  EXPECT_EQ(first.pods(1).uid(), "uid-web");
  EXPECT_EQ(first.pods(1).own_seconds(), 30);
  EXPECT_EQ(first.pods(1).ends_seconds(), 20);
  EXPECT_TRUE(first.pods(1).cut_short());
  EXPECT_FALSE(first.pods(1).lost());
  EXPECT_EQ(reply.groups(1).pods_size(), 0);
  EXPECT_EQ(reply.groups(1).begins_seconds(), 20) << "a group without pods takes no time";
  EXPECT_EQ(reply.groups(2).begins_seconds(), 20);
  EXPECT_EQ(reply.groups(2).pods(0).ends_seconds(), 24);
  EXPECT_TRUE(reply.groups(2).pods(0).lost());
  EXPECT_EQ(reply.needed_seconds(), 24);
  EXPECT_EQ(reply.configured_seconds(), 35);
  EXPECT_EQ(reply.granted_ms(), 23500);
  EXPECT_TRUE(reply.delayed());
  EXPECT_FALSE(reply.shutting_down());
  EXPECT_TRUE(reply.complaint().starts_with(
      "pods are to be stopped within 35s before the machine shuts down "
      "(shutdownGracePeriodByPodPriority), but"));
}

TEST(ShutdownWire, takes_nobody_for_safe_while_the_machine_would_not_wait) {
  const ConfiguredShutdown configured{{{0, 20s}}, "shutdownGracePeriod"};
  const auto granted = systemd::DelayLock::held();
  const auto refused = systemd::DelayLock::refused("too many");
  const struct {
    const char* name;
    systemd::LoginState login;
    bool lost;
    bool complains;
  } cases[] = {
      {"a lock is held", {.connected = true, .longest_delay = 30s, .lock = granted}, false, false},
      {"none was granted yet", {.connected = true, .longest_delay = 30s}, true, false},
      {"it is refused", {.connected = true, .longest_delay = 30s, .lock = refused}, true, true},
      {"it was given back, because all have stopped",
       {.connected = true, .longest_delay = 30s, .shutting_down = true},
       false,
       false},
      {"it is refused while the machine shuts down",
       {.connected = true, .longest_delay = 30s, .shutting_down = true, .lock = refused},
       false,
       false},
  };
  for (const auto& one : cases) {
    SCOPED_TRACE(one.name);
    wire::PlanShutdownReply reply;
    put(configured, {pod("web", 0, 10)}, one.login, reply);
    EXPECT_EQ(reply.groups(0).pods(0).lost(), one.lost);
    EXPECT_EQ(!reply.complaint().empty(), one.complains);
    EXPECT_EQ(reply.delayed(), one.login.delayed());
  }
}

TEST(ShutdownWire, says_nothing_where_nothing_is_set) {
  wire::PlanShutdownReply reply;
  put({}, {pod("web", 0, 30)}, {}, reply);
  EXPECT_EQ(reply.groups_size(), 0);
  EXPECT_FALSE(reply.has_granted_ms());
  EXPECT_EQ(reply.complaint(), "");
}

}  // namespace
}  // namespace berth::agent
