// SPDX-License-Identifier: Apache-2.0

#include "tests/simulation/pressure/eviction_under_test.hpp"

#include "agent/eviction/node_pressure.hpp"
#include "tests/simulation/generator.hpp"

namespace berth::simulation {
namespace {

// Slow enough that an idle machine is measured every ten seconds.
eviction::Rates fastest() {
  return {{eviction::Signal::kMemoryAvailable, 64.0 * (1 << 20)},
          {eviction::Signal::kNodeFsAvailable, 64.0 * (1 << 20)},
          {eviction::Signal::kImageFsAvailable, 64.0 * (1 << 20)},
          {eviction::Signal::kPidAvailable, 500.0}};
}

}  // namespace

EvictionUnderTest::EvictionUnderTest(const Setup& setup)
    : setup_(setup),
      events_(setup.loop, setup.clock, setup.log, kNodeName),
      journal_({.clock = setup.clock,
                .log = setup.log,
                .events = events_,
                .ledger = setup.ledger,
                .node_name = kNodeName,
                .show =
                    [this](const std::set<eviction::PressureCondition>& present) {
                      const auto before = node_.status.conditions;
                      return agent::show_pressure(node_, present, before,
                                                  api::Time{setup_.clock.wall_now()});
                    }}),
      eviction_({.executor = setup.loop,
                 .clock = setup.clock,
                 .pods = setup.pods,
                 .readings = *this,
                 .reclaimer = *this,
                 .reporter = *this,
                 .looked = [this] { looked(); },
                 .on_failure = setup.on_failure},
                setup.resources.settings(), fastest()) {}

boost::asio::awaitable<eviction::NodeReadings> EvictionUnderTest::node(agent::Freshness freshness) {
  const SteadyTime asked = setup_.clock.steady_now();
  auto readings =
      co_await through(setup_.gate, setup_.resources, &SimulatedResources::node, freshness);
  if (readings.node_fs && readings.image_fs) layout_ = setup_.resources.layout();
  setup_.checks.node_measured(freshness, asked, readings, layout_.has_value());
  co_return readings;
}

boost::asio::awaitable<eviction::PodReadings> EvictionUnderTest::pods(agent::PodList pods,
                                                                      agent::PodDetail detail) {
  const SteadyTime asked = setup_.clock.steady_now();
  auto readings =
      co_await through(setup_.gate, setup_.resources, &SimulatedResources::pods, pods, detail);
  setup_.checks.pods_measured(pods, detail, asked, readings);
  co_return readings;
}

boost::asio::awaitable<void> EvictionUnderTest::reclaim(eviction::NodeReclaim what) {
  co_await setup_.gate.pass();
  setup_.checks.reclaim_begins(what);
  if (what == eviction::NodeReclaim::kDeadContainers)
    co_await setup_.pods.collect_finished_pods(setup_.clock.steady_now() +
                                               std::chrono::seconds(10));
  co_await setup_.resources.reclaim(what);
  co_await setup_.gate.pass();
  setup_.checks.reclaim_ends();
}

void EvictionUnderTest::conditions(const std::set<eviction::PressureCondition>& present) {
  if (setup_.gate.closed()) return;
  journal_.conditions(present);
  setup_.checks.conditions_are(present, node_);
}

void EvictionUnderTest::attempting(const eviction::CycleDecision& decision) {
  if (!setup_.gate.closed()) journal_.attempting(decision);
}

void EvictionUnderTest::choosing(const eviction::CycleDecision& decision) {
  if (!setup_.gate.closed()) journal_.choosing(decision);
}

void EvictionUnderTest::evicted(const agent::EvictionReport& report) {
  if (setup_.gate.closed()) return;
  journal_.evicted(report);
  setup_.checks.evicted(report);
}

void EvictionUnderTest::exceeded_grace_period(const api::Pod& pod) {
  if (setup_.gate.closed()) return;
  journal_.exceeded_grace_period(pod);
  setup_.checks.exceeded_grace_period(pod);
}

void EvictionUnderTest::comes_back(const std::string& uid) {
  if (setup_.gate.closed()) return;
  journal_.comes_back(uid);
  setup_.checks.comes_back(uid);
}

void EvictionUnderTest::nobody_evictable(const eviction::CycleDecision& decision) {
  if (!setup_.gate.closed()) journal_.nobody_evictable(decision);
}

void EvictionUnderTest::unmeasured(const std::vector<eviction::Threshold>& skipped) {
  if (!setup_.gate.closed()) journal_.unmeasured(skipped);
}

void EvictionUnderTest::blind(eviction::CycleVerdict why) {
  if (!setup_.gate.closed()) journal_.blind(why);
}

void EvictionUnderTest::sees_again() {
  if (!setup_.gate.closed()) journal_.sees_again();
}

std::optional<lifecycle::Refusal> EvictionUnderTest::refusal(const api::Pod& pod) const {
  auto refusal = eviction_.refusal(pod);
  if (!setup_.gate.closed()) setup_.checks.answered_admission(pod, !refusal);
  return refusal;
}

void EvictionUnderTest::looked() {
  if (!setup_.gate.closed()) setup_.checks.looked();
}

}  // namespace berth::simulation
