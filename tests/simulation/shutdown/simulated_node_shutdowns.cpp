// SPDX-License-Identifier: Apache-2.0

// The machine's shutdown in good order, or almost: announced, waited for, cancelled, carried out.
#include <algorithm>

#include "tests/simulation/simulated_node.hpp"

namespace berth::simulation {

using std::chrono::milliseconds;
using std::chrono::seconds;

// Priorities of pods are 0, 10, 1000 and a system-critical one.
ShutdownSetup random_shutdown(std::uint64_t seed) {
  Random random = Random(seed).fork("shutdown setup");
  constexpr std::int32_t kCritical = 2'000'000'000;
  static const std::vector<lifecycle::ShutdownGroups> kGroups = {
      {{0, seconds(30)}, {kCritical, seconds(10)}},
      {{0, seconds(4)}, {kCritical, seconds(3)}},
      {{0, seconds(12)}, {kCritical, seconds(0)}},
      {{-5, seconds(5)}, {10, seconds(7)}, {1000, seconds(9)}, {kCritical, seconds(6)}},
      {{500, seconds(8)}, {1000, seconds(8)}}};
  ShutdownSetup setup{.groups = random.pick(kGroups)};
  const seconds needed = lifecycle::longest_shutdown(setup.groups);
  setup.granted = random.chance(700) ? needed + seconds(1) : std::max(seconds(1), needed / 2);
  return setup;
}

// Called once per act: a shutdown begins now and then, and continues while other things happen.
void SimulatedNode::shut_down_or_not() {
  if (!extras_.login) return;
  auto& [random, ends, called_off] = shutdown_;
  SimulatedLoginManager& login = extras_.login->manager;
  const auto now = clock_.steady_now();
  if (!login.state().shutting_down) {
    if (!login.state().connected && random.chance(300)) {
      say("the login manager is there again");
      login.answers(extras_.login->setup.granted);
    }
    if (!random.chance(90)) return;
    if (login.state().connected && random.chance(150)) {
      say("the bus goes");
      return login.falls_silent("the system bus has gone");
    }
    if (random.chance(80)) {
      say("the machine goes off, and nobody announced it");
      checks_.shutdown().ends(MachineEnd::kUnannounced);
      return machine_goes_off();
    }
    ends = now + extras_.login->setup.granted;
    called_off = std::nullopt;
    if (random.chance(400)) called_off = now + random.between(milliseconds(1), seconds(20));
    announce(true);
    if (random.chance(500)) pass_until(now + random.between(milliseconds(1), seconds(3)));
    return;
  }
  if (called_off && now >= *called_off) return announce(false);
  if (!called_off && (!login.state().delayed() || now >= ends)) machine_goes_off();
}

void SimulatedNode::announce(bool shutting_down) {
  say(shutting_down ? "the machine's end is announced" : "the machine's end is called off");
  checks_.shutdown().ends(shutting_down ? MachineEnd::kAnnounced : MachineEnd::kNone);
  extras_.login->manager.announces(shutting_down);
}

// The service manager stops what is left, berthd first; now and then it does not report why.
void SimulatedNode::machine_goes_off() {
  if (agent_ && shutdown_.random.chance(800)) {
    if (shutdown_.random.chance(900)) stop_last_pods();
    if (!over()) stop_agent();
  }
  if (over()) return;
  if (agent_) crash_agent();
  if (over()) return;
  go_off();
  announce(false);
  runtime_returns_ = soon(milliseconds(1), milliseconds(random_.chance(500) ? 200 : 10'000));
  agent_returns_ = soon(milliseconds(1), milliseconds(random_.chance(500) ? 200 : 10'000));
}

}  // namespace berth::simulation
