// SPDX-License-Identifier: Apache-2.0

// The agent's state as it writes it on SIGUSR1.
#include "agent/agent_state.hpp"

#include <gtest/gtest.h>

namespace berth::agent {
namespace {

using namespace std::chrono_literals;

constexpr SteadyTime kNow{1h};

const StateLine* line_of(const std::vector<StateLine>& lines, const std::string& part) {
  for (const auto& line : lines)
    if (line.fields.front().value == part) return &line;
  return nullptr;
}

std::string message_of(const AgentState& state, const std::string& part) {
  const auto lines = state_lines(state);
  const StateLine* line = line_of(lines, part);
  return line == nullptr ? "" : line->message;
}

TEST(AgentStateTest, every_part_has_a_line_and_the_last_one_says_so) {
  AgentState state{.now = kNow, .node_name = "node1"};
  state.store = StoreHealth{};
  std::vector<std::string> parts;
  for (const auto& line : state_lines(state)) {
    ASSERT_EQ(line.fields.front().key, "PART");
    parts.push_back(line.fields.front().value);
  }
  EXPECT_EQ(parts, (std::vector<std::string>{"agent", "loop", "tasks", "runtime", "event-stream",
                                             "store", "manifests", "probes", "end"}));
}

TEST(AgentStateTest, what_is_wrong_is_said_with_its_reason) {
  AgentState state{.now = kNow,
                   .up = 90s,
                   .node_name = "node1",
                   .waits_for = {"the manifest folder /m: it does not exist"},
                   .health = {{"ping", ""}, {"log", "logging blocked"}},
                   .loop_late = 1500ms,
                   .runtime_endpoint = "unix:///c.sock",
                   .runtime_version = "containerd 1.6.20",
                   .runtime_error = "connection refused",
                   .events_error = "the server ended the stream",
                   .missed_events = 2,
                   .manifests = {.path = "/m"},
                   .tasks = {"relist", "runtime events"}};
  state.store = StoreHealth{.error = "disk full", .silent_since = kNow - 4s, .commits = 3};
  EXPECT_EQ(message_of(state, "agent"),
            "node node1: waits for the manifest folder /m: it does not exist, up for 90.0 s; "
            "health: ping ok, log failed (logging blocked)");
  EXPECT_EQ(message_of(state, "loop"), "loop: at most 1.5 s late within the last minute");
  EXPECT_EQ(message_of(state, "tasks"), "under way: relist, runtime events");
  EXPECT_EQ(message_of(state, "runtime"),
            "runtime unix:///c.sock: containerd 1.6.20 does not answer: connection refused");
  EXPECT_EQ(message_of(state, "event-stream"),
            "event stream: not open (the server ended the stream); listing found 2 changes that no "
            "event had reported");
  EXPECT_EQ(message_of(state, "store"),
            "store: nothing has been written for 4.0 s: disk full; 3 commits in 0 transactions, "
            "0 events and decisions written, 0 dropped");
  EXPECT_EQ(message_of(state, "manifests"), "manifest folder /m: does not exist");
}

TEST(AgentStateTest, a_pod_is_logged_with_its_containers_and_what_it_waits_for) {
  api::Pod pod;
  pod.metadata = {.name = "web-node1", .namespace_ = "default", .uid = "u1"};
  pod.status.phase = "Running";
  pod.status.initContainerStatuses.push_back(
      {.name = "setup", .state = {.terminated = api::ContainerStateTerminated{.exitCode = 0}}});
  pod.status.containerStatuses.push_back(
      {.name = "web", .state = {.running = api::ContainerStateRunning{}}});
  pod.status.containerStatuses.push_back(
      {.name = "log",
       .state = {.waiting = api::ContainerStateWaiting{.reason = "PodInitializing"}}});
  AgentState state{.now = kNow};
  state.pods.push_back({.pod = std::make_shared<const api::Pod>(pod),
                        .state = "ending",
                        .under_way = {"stop web"},
                        .stopping = {"web"},
                        .wakes_at = kNow + 2500ms,
                        .last = lifecycle::DatedReason{
                            .reason = {.subject = "web", .rule = "Kill", .text = "deleted"}}});
  const auto lines = state_lines(state);
  const StateLine* line = line_of(lines, "pod");
  ASSERT_NE(line, nullptr);
  EXPECT_EQ(line->message,
            "pod default/web-node1: Running, ending; setup=terminated:0 web=running "
            "log=waiting:PodInitializing; under way: stop web; being stopped: web; next turn "
            "in 2.5 s; last: 1970-01-01T00:00:00Z Kill web: deleted");
  const auto field = [line](const std::string& key) {
    for (const auto& [name, value] : line->fields)
      if (name == key) return value;
    return std::string("none");
  };
  EXPECT_EQ(field("POD"), "web-node1");
  EXPECT_EQ(field("POD_UID"), "u1");
  EXPECT_EQ(field("PHASE"), "Running");
  EXPECT_EQ(field("WORKER"), "ending");
}

}  // namespace
}  // namespace berth::agent
