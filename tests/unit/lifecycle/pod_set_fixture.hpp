// SPDX-License-Identifier: Apache-2.0

// A pod set and its workers against a quiet simulated runtime, in virtual time.
#pragma once

#include <algorithm>
#include <memory>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "lifecycle/pods/pod_set.hpp"
#include "tests/ledger/kept_ledger.hpp"
#include "tests/unit/base/loop_fixture.hpp"
#include "tests/unit/lifecycle/bare_agent.hpp"

namespace berth::lifecycle {

// Records the published and removed pods.
class Shown final : public StatusSink {
 public:
  void published(const PodPtr& pod) override {
    if (phases.empty() || phases.back() != pod->status.phase) phases.push_back(pod->status.phase);
    last = pod;
  }
  void removed(const PodPtr& pod) override { gone.push_back(pod->metadata.uid); }

  std::vector<std::string> phases{};
  std::vector<std::string> gone{};
  PodPtr last{};
};

class Successors final : public IncarnationSource {
 public:
  PodPtr next_incarnation(const api::Pod& ended) override {
    auto next = std::make_shared<api::Pod>(ended);
    next->metadata.uid += "-next";
    if (next->spec.nodeName == "node1") next->spec.nodeName.clear();  // as in its manifest
    return next;
  }
};

inline api::Container container(const char* name, std::vector<std::string> command) {
  api::Container made;
  made.name = name;
  made.image = "present/app:1";
  made.imagePullPolicy = "IfNotPresent";
  made.command = std::move(command);
  return made;
}

inline std::shared_ptr<api::Pod> pod(const char* uid, std::vector<api::Container> containers,
                                     const char* policy = "Always") {
  auto made = std::make_shared<api::Pod>();
  made->metadata.name = "web";
  made->metadata.namespace_ = "default";
  made->metadata.uid = uid;
  made->spec.containers = std::move(containers);
  made->spec.restartPolicy = policy;
  made->spec.terminationGracePeriodSeconds = 30;
  made->spec.dnsPolicy = "Default";
  made->spec.automountServiceAccountToken = false;
  made->spec.enableServiceLinks = false;
  return made;
}

// A pod that finishes for good after 100 ms.
inline std::shared_ptr<api::Pod> job(const char* uid, const char* name, std::int64_t created) {
  auto made = pod(uid, {container("main", {"sim", "exit=0", "after=100"})}, "Never");
  made->metadata.name = name;
  made->metadata.creationTimestamp = api::Time::from_unix_seconds(created);
  return made;
}

// Events as "REASON: message", in order.
class RecordedEvents final : public PodEvents {
 public:
  void record(const api::Pod& /*pod*/, const PodEvent& event) override {
    texts.push_back(event.reason + ": " + event.message);
    paths.push_back(event.field_path);
  }
  [[nodiscard]] std::int64_t count(std::string_view beginning) const {
    return std::ranges::count_if(
        texts, [beginning](const std::string& text) { return text.starts_with(beginning); });
  }

  std::vector<std::string> texts{};
  std::vector<std::string> paths{};  // the part of the pod that each is about; empty for itself
};

class PodSetTest : public LoopFixture {
 protected:
  void SetUp() override { begin_agent(); }
  void TearDown() override {
    end_agent();
    spawn_and_drain(runtime.shutdown());
    if (rebooted) spawn_and_drain(rebooted->shutdown());
    spawn_and_drain(store.shutdown());
    LoopFixture::TearDown();
    EXPECT_TRUE(log.empty()) << log.front();
  }

  void begin_agent() {
    host.berthd_begins();
    BareWorld setup{.loop = loop.get_executor(),
                    .clock = &clock,
                    .runtime = rebooted ? rebooted.get() : &runtime,
                    .host = &host,
                    .store = stored_in,
                    .sink = &shown,
                    .incarnations = &successors,
                    .terminated_pods_kept = keep,
                    .ledger = ledger,
                    .in_hand = in_hand,
                    .options = options,
                    .node = node,
                    .events = &recorded_events};
    setup.on_failure = [this](std::string_view task, std::exception_ptr) {
      log.push_back(std::string(task) + " failed");
    };
    agent = std::make_unique<BareAgent>(setup);
  }
  // Replaces the runtime by one like this, which knows no pod.
  void begin_on(simulation::RuntimeSetup setup) {
    end_agent();
    if (rebooted) spawn_and_drain(rebooted->shutdown());
    setup.trace = &trace;
    rebooted = std::make_unique<simulation::SimulatedRuntime>(loop.get_executor(), clock, setup);
    begin_agent();
  }
  // As after a reboot in which the runtime lost its state.
  void reboot() { begin_on({.witness = &log_files}); }
  boost::asio::awaitable<void> stop_agent() { co_await agent->pods().stop(); }
  void end_agent() {
    if (!agent) return;
    spawn_and_drain(stop_agent());
    agent.reset();
  }
  // What it had not stored yet is lost.
  void kill_agent() {
    end_agent();
    store.crash(false);
  }

  void desire(std::vector<PodPtr> pods) {
    agent->pods().set_desired(std::move(pods));
    drain();
  }
  // Begins the stop of a container that ignores TERM, with a grace period of two seconds.
  void begin_a_stop_that_waits_for_the_store() {
    auto one = pod("u1", {container("main", {"sim", "term=ignore"})});
    one->spec.terminationGracePeriodSeconds = 2;
    desire({one});
    clock.advance(2s);
    store.set_latency({600ms, 600ms});
    runtime.sandbox_dies(runtime.sandboxes().at(0).id, false);
    clock.advance(200ms);
    ASSERT_FALSE(runtime.instances().at(0).first_stop_called) << "it waits for the store";
  }
  [[nodiscard]] const api::PodStatus& status() const { return shown.last->status; }
  [[nodiscard]] int live() const {
    return static_cast<int>(
        std::ranges::count_if(runtime.instances(), [](const auto& i) { return i.live(); }));
  }

  std::int64_t keep = kTerminatedPodGcThreshold;  // finished pods
  ledger_test::KeptLedger kept{};
  Ledger* ledger = &kept;
  InHand* in_hand = nullptr;
  PodSetOptions options{};
  BareNode node{};
  simulation::Trace trace{};
  simulation::SimulatedHost host{clock, {.trace = &trace}};
  simulation::LogsAtStart log_files{host};
  simulation::SimulatedRuntime runtime{
      loop.get_executor(), clock, {.trace = &trace, .witness = &log_files}};
  std::unique_ptr<simulation::SimulatedRuntime> rebooted{};
  simulation::SimulatedStore store{loop.get_executor(), clock, {.trace = &trace}};
  simulation::SimulatedStore* stored_in = &store;
  Shown shown{};
  RecordedEvents recorded_events{};
  Successors successors{};
  std::unique_ptr<BareAgent> agent{};
};

}  // namespace berth::lifecycle
