// SPDX-License-Identifier: Apache-2.0

#include "tests/simulation/shutdown/shutdown_under_test.hpp"

#include "tests/simulation/generator.hpp"

namespace berth::simulation {

ShutdownUnderTest::ShutdownUnderTest(const Setup& setup)
    : setup_(setup),
      events_(setup.loop, setup.clock, setup.log, kNodeName),
      journal_({.clock = setup.clock,
                .log = setup.log,
                .events = events_,
                .ledger = setup.ledger,
                .show = [this](bool down) { setup_.checks.is_ready(!down); }}),
      shutdown_({.executor = setup.loop,
                 .clock = setup.clock,
                 .pods = setup.pods,
                 .login = *this,
                 .reporter = *this,
                 .on_failure = setup.on_failure},
                {.groups = setup.checks.groups(), .field = "shutdownGracePeriodByPodPriority"}) {}

boost::asio::awaitable<void> ShutdownUnderTest::carry_out() {
  if (started_) co_await shutdown_.carry_out();
}

boost::asio::awaitable<void> ShutdownUnderTest::changed() {
  co_await setup_.login.changed();
  co_await setup_.gate.pass();
}

boost::asio::awaitable<void> ShutdownUnderTest::ask(Nanoseconds limit) {
  return setup_.login.ask(limit);
}

void ShutdownUnderTest::delay() {
  if (!setup_.gate.closed()) setup_.login.delay();
}

void ShutdownUnderTest::let_go() {
  if (!setup_.gate.closed()) setup_.login.let_go();
}

void ShutdownUnderTest::announced(bool shutting_down) {
  if (setup_.gate.closed()) return;
  journal_.announced(shutting_down);
  setup_.checks.berthd_heard(shutting_down);
}

void ShutdownUnderTest::ordered(const lifecycle::PlannedStop& stop,
                                const lifecycle::ShutdownGroup& group,
                                const lifecycle::Ending& ending) {
  if (setup_.gate.closed()) return;
  journal_.ordered(stop, group, ending);
  setup_.checks.ordered(*stop.pod, ending);
}

void ShutdownUnderTest::left_behind(const lifecycle::ShutdownGroup& group,
                                    const agent::LeftBehind& left) {
  if (!setup_.gate.closed()) journal_.left_behind(group, left);
}

void ShutdownUnderTest::exceeded_grace_period(const api::Pod& pod) {
  if (!setup_.gate.closed()) journal_.exceeded_grace_period(pod);
}

void ShutdownUnderTest::all_stopped() {
  if (setup_.gate.closed()) return;
  journal_.all_stopped();
  setup_.checks.all_stopped();
}

void ShutdownUnderTest::comes_back(const api::Pod& pod) {
  if (setup_.gate.closed()) return;
  journal_.comes_back(pod);
  setup_.checks.comes_back(pod);
}

void ShutdownUnderTest::complains(const std::string& complaint) {
  if (!setup_.gate.closed()) journal_.complains(complaint);
}

}  // namespace berth::simulation
