// SPDX-License-Identifier: Apache-2.0

#include "tests/simulation/invariants/all_checks.hpp"

#include <algorithm>

#include <fmt/core.h>

#include "base/clock.hpp"
#include "tests/simulation/runtime/simulated_runtime.hpp"

namespace berth::simulation {

AllChecks::AllChecks(Clock& clock)
    : clock_(clock),
      disturbances_(clock),
      invariants_(clock, disturbances_),
      probes_(clock, invariants_),
      conditions_(invariants_),
      onlookers_{.hooks{clock, invariants_},
                 .times{clock, invariants_},
                 .images{clock, invariants_},
                 .deletion{clock, invariants_}},
      turns_(clock, invariants_),
      duties_(clock, invariants_),
      cadence_(clock, invariants_),
      admission_(clock, invariants_),
      pressure_(clock, invariants_),
      shutdown_(clock, invariants_) {
  everything_.add_witness(invariants_);
  everything_.add(onlookers_.hooks);
  everything_.add(turns_);
  everything_.add(onlookers_.times);
  everything_.add(onlookers_.images);
  everything_.add(duties_);
  everything_.add(cadence_);
  everything_.add(onlookers_.deletion);
  everything_.add(admission_);
  everything_.add(pressure_);
  everything_.add(shutdown_);
  invariants_.also_show(probes_);
  invariants_.also_show(conditions_);
  invariants_.also_show(everything_);
  probes_.report_to(duties_, cadence_);
  admission_.hand_on_to(probes_);
}

void AllChecks::look_at(const SimulatedRuntime& runtime, const SimulatedHost& host,
                        const SimulatedStore& store) {
  world_ = {.runtime = &runtime, .host = &host, .store = &store};
  invariants_.look_at(world_);
  onlookers_.hooks.look_at(runtime, store);
  turns_.look_at(runtime);
  onlookers_.times.look_at(runtime, store);
  onlookers_.images.look_at(runtime, store);
  duties_.look_at(runtime);
  cadence_.look_at(runtime);
  admission_.look_at(runtime);
  pressure_.look_at(runtime, store);
  shutdown_.look_at(runtime);
  conditions_.look_at(store);
  probes_.look_at(runtime, store);
}

void AllChecks::set_node(std::int64_t kept, std::int32_t most_pods, bool tainted) {
  invariants_.listing().set_kept(kept);
  invariants_.set_most_pods(most_pods);
  admission_.set_node(tainted, most_pods);
}

void AllChecks::agent_restarted() {
  invariants_.agent_restarted();
  probes_.agent_restarted();
  conditions_.agent_restarted();
  everything_.agent_restarted();
  const auto shown_late = [this](const Instance& one) {
    return one.exited && *one.exit_shown > clock_.steady_now();
  };
  if (std::ranges::any_of(world_.runtime->instances(), shown_late)) disturbances_.exit_unreported();
}

void AllChecks::state_lost() {
  disturbances_.lose_state();
  invariants_.state_lost();
}

void AllChecks::check_missed_events(std::uint64_t missed) {
  if (missed == 0 || !disturbances_.every_event_arrives()) return;
  invariants_.violated(fmt::format("berthd missed {} events, and none was lost", missed));
}

std::optional<std::string> AllChecks::unsettled(const std::string& settings,
                                                const std::vector<PodPtr>& shown) const {
  return simulation::unsettled({.invariants = invariants_,
                                .admission = admission_,
                                .probes = probes_,
                                .conditions = conditions_,
                                .pressure = pressure_,
                                .shutdown = shutdown_,
                                .runtime = *world_.runtime,
                                .host = *world_.host,
                                .store = *world_.store,
                                .settings = settings},
                               clock_.steady_now(), shown);
}

}  // namespace berth::simulation
