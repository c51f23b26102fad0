// SPDX-License-Identifier: Apache-2.0

// The course of a random run: the properties of the world, what befalls it, the end.
#include "tests/simulation/world.hpp"

#include <utility>

#include "tests/simulation/generator.hpp"
#include "tests/simulation/pressure/random_thresholds.hpp"
#include "tests/simulation/simulated_node.hpp"

namespace berth::simulation {

using std::chrono::microseconds;
using std::chrono::milliseconds;
using std::chrono::seconds;

namespace {

// Backoff windows and image pull windows end after 300 s at the latest; lost calls before that.
constexpr seconds kTimeToSettle{700};
// In one of so many runs every decision is repeated from its record; in another one the store is a
// real file; in another one images are collected and logs, which are real files too, are rotated.
constexpr std::uint64_t kOneIn = 16;

RuntimeSetup random_runtime(std::uint64_t seed, Random& random, bool calm) {
  RuntimeSetup setup;
  setup.random = Random(seed).fork("runtime");
  setup.faults = calm ? friendly_faults(random) : random_faults(random);
  setup.latencies = random_latencies(random);
  setup.events_have_exit_code = random.chance(500);
  return setup;
}

HostSetup random_host(std::uint64_t seed, Random& random, bool calm) {
  HostSetup setup;
  setup.random = Random(seed).fork("host");
  const bool well = calm || random.chance(600);
  setup.fails = well ? 0 : static_cast<int>(random.between(1, 40));
  setup.latency = {microseconds(20), milliseconds(5)};
  return setup;
}

// One in four, and every second one of those with repeated decisions or a real state file.
bool is_disrupted(std::uint64_t seed) {
  return seed % 4 == 3 || seed % (2 * kOneIn) == kOneIn || seed % (2 * kOneIn) == kOneIn + 2;
}

// One in four, of which one in four has a real state file.
bool is_pressed(std::uint64_t seed) {
  return seed % 4 == 2;
}

// Half of the disrupted runs, and one in four of those that run short.
bool has_shutdowns(std::uint64_t seed) {
  return seed % 8 == 3 || seed % kOneIn == 10;
}

// One in sixteen, of which one in two is disrupted and has shutdowns.
bool copies_sandboxes(std::uint64_t seed) {
  return seed % (2 * kOneIn) == 5 || seed % (2 * kOneIn) == 19;
}

std::optional<Random> stream_if(bool wanted, std::uint64_t seed, const char* name) {
  return wanted ? std::optional(Random(seed).fork(name)) : std::nullopt;
}

StoreSetup random_store(std::uint64_t seed, Random& random) {
  StoreSetup setup;
  setup.random = Random(seed).fork("store");
  setup.latency = random.chance(300) ? Span{milliseconds(5), milliseconds(120)}
                                     : Span{microseconds(100), milliseconds(4)};
  return setup;
}

}  // namespace

SimulatedNode::Chance::Chance(std::uint64_t seed)
    : faults(Random(seed).fork("faults")), calm(faults.chance(150)) {
  machine.runtime = random_runtime(seed, faults, calm);
  machine.host = random_host(seed, faults, calm);
  machine.store = random_store(seed, faults);
  clock_may_jump = !calm && faults.chance(280);
  if (faults.chance(300)) machine.kept = faults.between(1, 3);
  if (faults.chance(150)) machine.most_pods = static_cast<std::int32_t>(faults.between(2, 4));
  machine.tainted = faults.chance(150);
  machine.keeps_house = seed % kOneIn == 1;
  machine.store.in_file = seed % kOneIn == 2;
  if (is_pressed(seed)) machine.resources = random_resources(seed);
  if (has_shutdowns(seed)) machine.shutdown = random_shutdown(seed);
}

SimulatedNode::SimulatedNode(std::uint64_t seed, Trace::Sink sink)
    : SimulatedNode(seed, Chance(seed), std::move(sink)) {}

SimulatedNode::SimulatedNode(std::uint64_t seed, Chance chance, Trace::Sink sink)
    : SimulatedMachine(std::move(chance.machine), std::move(sink)),
      random_(Random(seed).fork("world")),
      disruptions_(stream_if(is_disrupted(seed), seed, "disruptions")),
      copying_(stream_if(copies_sandboxes(seed), seed, "copies")),
      shutdown_{.random = Random(seed).fork("shutdowns")},
      calm_(chance.calm),
      clock_may_jump_(chance.clock_may_jump) {}

// The node's properties that berthd gets may differ from one life to the next.
void SimulatedNode::begin_life() {
  if (random_.chance(200)) node_.zone.front() = node_.zone == "a" ? 'b' : 'a';
  start_agent();
}

// berthd is killed at any suspension point: somewhere in a burst of handlers that are ready to run.
void SimulatedNode::crash_agent() {
  pass_until(soon(Nanoseconds{}, milliseconds(random_.chance(500) ? 20 : 600)));
  if (over()) return;
  const auto next = clock_.next_deadline();
  if (next && *next < clock_.steady_now() + seconds(2)) clock_.step();
  if (loop_.stopped()) loop_.restart();
  for (auto turns = random_.between(0, 25); turns > 0 && !over(); --turns) {
    if (loop_.poll_one() == 0) break;
  }
  if (!over()) kill_agent(random_.chance(500));
}

Outcome SimulatedNode::run() {
  const auto chaos_ends = soon(seconds(20), seconds(180));
  const auto count = random_.between(1, 4);
  write_classes();
  for (std::int64_t i = 0; i < count; ++i) write_new();
  if (random_.chance(250)) take_over();
  begin_life();
  while (!over() && clock_.steady_now() < chaos_ends) {
    const bool hurried = random_.chance(300);
    pass_until(soon(milliseconds(hurried ? 0 : 300), milliseconds(hurried ? 300 : 15'000)));
    if (!over()) act();
  }
  if (!over()) end_of_chaos();
  if (!over()) pass_until(clock_.steady_now() + kTimeToSettle);
  check_settled(std::to_string(settings_));
  return end();
}

void SimulatedNode::end_of_chaos() {
  say("faults stop");
  while (!broken_.empty()) mend_file(std::string(*broken_.begin()));
  mend_everything();
  hooks_are_let_go();
  // Nothing waits for the ConfigMap any more, and every pod has to show its last version.
  write_settings();
}

Outcome run_seed(std::uint64_t seed, Trace::Sink sink) {
  SimulatedNode node(seed, std::move(sink));
  return node.run();
}

}  // namespace berth::simulation
