// SPDX-License-Identifier: Apache-2.0

// The shutdown of the node, with a simulated pod set and login manager.
#pragma once

#include <algorithm>

#include <gtest/gtest.h>

#include "agent/shutdown/node_shutdown.hpp"
#include "agent/shutdown/shutdown_journal.hpp"
#include "tests/simulation/shutdown/simulated_login_manager.hpp"
#include "tests/unit/lifecycle/pod_set_fixture.hpp"

namespace berth::agent {
using namespace std::chrono_literals;
using lifecycle::container;
using lifecycle::PodPtr;

inline constexpr std::int32_t kCritical = 2'000'000'000;

class NodeShutdownTest : public lifecycle::PodSetTest {
 protected:
  void SetUp() override {
    PodSetTest::SetUp();
    login.answers(1min);
    begin_shutdown();
  }
  void TearDown() override {
    end_shutdown();
    PodSetTest::TearDown();
  }

  void begin_shutdown() {
    shutdown.emplace(NodeShutdown::Services{.executor = loop.get_executor(),
                                            .clock = clock,
                                            .pods = agent->pods(),
                                            .login = login,
                                            .reporter = journal,
                                            .on_failure =
                                                [this](std::string_view task, std::exception_ptr) {
                                                  log.push_back(std::string(task) + " failed");
                                                }},
                     ConfiguredShutdown{.groups = groups, .field = "shutdownGracePeriod"});
    shutdown->start();
    drain();
  }
  boost::asio::awaitable<void> stop_shutdown() { co_await shutdown->stop(); }
  void end_shutdown() {
    if (!shutdown) return;
    spawn_and_drain(stop_shutdown());
    shutdown.reset();
    login.berthd_is_gone();
  }
  // Starts another berthd, with or without a boot of the machine in between.
  void begin_again(bool after_boot, std::vector<PodPtr> desired) {
    end_shutdown();
    if (after_boot) {
      login.announces(false);
      reboot();
    } else {
      end_agent();
      begin_agent();
    }
    not_ready = false;
    desire(std::move(desired));
    clock.advance(200ms);  // until berthd knows what runs
    begin_shutdown();
  }

  boost::asio::awaitable<void> carry_out() {
    co_await shutdown->carry_out();
    carried_out = true;
  }
  bool carried_out = false;

  void announce(bool down = true) {
    login.announces(down);
    drain();
  }

  static std::shared_ptr<api::Pod> named(const char* name, std::int32_t priority,
                                         std::vector<std::string> program,
                                         const char* policy = "Always") {
    auto made = lifecycle::pod(name, {container("main", std::move(program))}, policy);
    made->metadata.name = name;
    made->spec.priority = priority;
    return made;
  }
  // A pod that takes two seconds to stop.
  static std::shared_ptr<api::Pod> slow(const char* name, std::int32_t priority,
                                        const char* policy = "Always") {
    return named(name, priority, {"sim", "term=2000", "code=143"}, policy);
  }

  // Phase and reason: "Failed NodeShutdown", "Running".
  [[nodiscard]] std::string shows(const char* name) const {
    const PodPtr found = agent->pods().find("default", name);
    if (!found) return "nothing";
    return found->status.phase + (found->status.reason.empty() ? "" : " " + found->status.reason);
  }
  [[nodiscard]] std::string message(const char* name) const {
    const PodPtr found = agent->pods().find("default", name);
    return found ? found->status.message : "nothing";
  }
  [[nodiscard]] std::string uid(const char* name) const {
    const PodPtr found = agent->pods().find("default", name);
    return found ? found->metadata.uid : "none";
  }
  [[nodiscard]] bool asked_to_stop(const char* pod_uid) const {
    return std::ranges::any_of(runtime.instances(), [pod_uid](const auto& one) {
      return one.pod_uid == pod_uid && one.first_stop_called;
    });
  }
  [[nodiscard]] std::vector<std::string> node_events() const {
    std::vector<std::string> texts;
    for (const auto& event : events.store().list())
      texts.push_back(event->reason + ": " + event->message);
    return texts;
  }

  lifecycle::ShutdownGroups groups{{0, 20s}, {kCritical, 10s}};
  simulation::SimulatedLoginManager login{loop.get_executor()};
  lifecycle::WarningLog node_log{};
  EventRecorder events{loop.get_executor(), clock, node_log, "node1"};
  bool not_ready = false;
  ShutdownJournal journal{
      {.clock = clock,
       .log = node_log,
       .events = events,
       .ledger = &kept,
       .show = [this](bool down) { not_ready = down; },
       .keep = [this](const ShutdownTimes& times) { kept_times.push_back(times); }}};
  std::vector<ShutdownTimes> kept_times{};
  std::optional<NodeShutdown> shutdown{};
};

}  // namespace berth::agent
