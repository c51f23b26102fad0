// SPDX-License-Identifier: Apache-2.0

// The random events for berthd and its machine: stops, kills, reboots, a lost state file.
#include <algorithm>

#include "tests/simulation/simulated_node.hpp"

namespace berth::simulation {

using std::chrono::milliseconds;
using std::chrono::seconds;

void SimulatedNode::agent_goes() {
  if (!agent_) return;
  if (random_.chance(300))
    stop_agent();
  else
    crash_agent();
  agent_returns_ = soon(milliseconds(1), milliseconds(random_.chance(500) ? 200 : 10'000));
}

// The machine reboots in good order, or by its power switch; berthd may be up before the runtime
// is.
void SimulatedNode::machine_reboots() {
  if (agent_ && random_.chance(500)) stop_agent();
  if (over()) return;
  if (agent_) crash_agent();
  if (over()) return;
  pass_until(soon(milliseconds(1), seconds(2)));
  if (over()) return;
  go_off();
  runtime_returns_ = soon(milliseconds(1), milliseconds(random_.chance(500) ? 200 : 10'000));
  agent_returns_ = soon(milliseconds(1), milliseconds(random_.chance(500) ? 200 : 10'000));
}

// Kills berthd while the last action is still under way.
void SimulatedNode::crash_soon() {
  pass_until(soon(Nanoseconds{}, milliseconds(random_.chance(600) ? 300 : 6'000)));
  if (over() || !agent_) return;
  crash_agent();
  agent_returns_ = soon(milliseconds(1), milliseconds(random_.chance(500) ? 200 : 10'000));
}

// Kills berthd between an exit that the runtime does not show yet and the start that follows it.
void SimulatedNode::crash_at_restart() {
  const auto until = soon(seconds(1), seconds(15));
  const auto created_early = [this] {
    return std::ranges::any_of(runtime_.instances(), [this](const Instance& instance) {
      return invariants().waits_for_exit_to_show(instance);
    });
  };
  while (!over() && agent_ && clock_.steady_now() < until) {
    if (!created_early()) {
      pass_until(clock_.steady_now() + milliseconds(2));
      continue;
    }
    kill_agent(random_.chance(500));
    if (!over()) pass_until(soon(milliseconds(1), milliseconds(20)));
    if (!over()) begin_life();
    return;
  }
}

void SimulatedNode::state_is_lost() {
  if (agent_) crash_agent();
  if (over()) return;
  lose_state(random_.chance(500), folder_is_as_read());
  agent_returns_ = soon(milliseconds(1), milliseconds(random_.chance(500) ? 200 : 10'000));
}

}  // namespace berth::simulation
