// SPDX-License-Identifier: Apache-2.0

// Commands in containers of the simulated runtime: probes, hooks and others, as their words say
// (container_program.hpp). A command ends with its container, at the latest.
//
// Loop thread only.
#pragma once

#include <chrono>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "cri/runtime.hpp"
#include "tests/simulation/container_program.hpp"
#include "tests/simulation/runtime/runtime_calls.hpp"
#include "tests/simulation/runtime/runtime_events.hpp"
#include "tests/simulation/runtime/runtime_objects.hpp"

namespace berth::simulation {

class SimulatedCommands {
 public:
  SimulatedCommands(RuntimeWorld& world, RuntimeCalls& calls, RuntimeEvents& events,
                    RuntimeObjects& objects)
      : world_(world), calls_(calls), events_(events), objects_(objects) {}

  cri::Call<cri::ExecResult> exec_sync(Context context, cri::ContainerId id,
                                       std::vector<std::string> command,
                                       std::chrono::seconds timeout);
  cri::Call<std::string> exec(Context context, cri::ContainerId id);

  void container_ended(const cri::ContainerId& id);
  // No hook takes longer from now on.
  void hooks_return_within(Nanoseconds limit) { longest_hook_ = limit; }

 private:
  std::optional<Error> begin(const RuntimeCalls::FlightPtr& flight, const cri::ContainerId& id);
  // A command ends with that code; its container may have ended meanwhile.
  Result<cri::ExecResult> end(const cri::ContainerId& id, std::int32_t code,
                              Result<cri::ExecResult> result);

  RuntimeWorld& world_;
  RuntimeCalls& calls_;
  RuntimeEvents& events_;
  RuntimeObjects& objects_;
  Nanoseconds longest_hook_ = Nanoseconds::max();
  std::map<std::string, std::vector<RuntimeCalls::FlightPtr>> under_way_{};  // by container id
};

}  // namespace berth::simulation
