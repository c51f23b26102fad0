// SPDX-License-Identifier: Apache-2.0

// The life of containers in the simulated runtime: create, start, signals, exit, removal.
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
#include "tests/simulation/runtime/runtime_calls.hpp"
#include "tests/simulation/runtime/runtime_events.hpp"
#include "tests/simulation/runtime/runtime_objects.hpp"
#include "tests/simulation/runtime/simulated_commands.hpp"
#include "tests/simulation/runtime/simulated_images.hpp"

namespace berth::simulation {

class SimulatedContainers {
 public:
  SimulatedContainers(RuntimeWorld& world, RuntimeCalls& calls, RuntimeEvents& events,
                      RuntimeObjects& objects, SimulatedImages& images, SimulatedCommands& commands)
      : world_(world),
        calls_(calls),
        events_(events),
        objects_(objects),
        images_(images),
        commands_(commands) {}

  // CRI's calls.
  cri::Call<cri::ContainerId> create(Context context, cri::SandboxId sandbox,
                                     cri::ContainerConfig config,
                                     cri::PodSandboxConfig sandbox_config);
  cri::Call<cri::Done> start(Context context, cri::ContainerId id);
  cri::Call<cri::Done> stop(Context context, cri::ContainerId id, std::chrono::seconds timeout);
  cri::Call<cri::Done> remove(Context context, cri::ContainerId id);
  cri::Call<cri::ContainerStatus> status(Context context, cri::ContainerId id);
  cri::Call<std::vector<cri::Container>> list(Context context, cri::ContainerFilter filter);
  cri::Call<cri::Done> reopen_log(Context context, cri::ContainerId id);

  // What the fake world does (simulated_runtime.hpp).
  void runs_already(const cri::SandboxId& sandbox, const cri::ContainerConfig& config,
                    const std::string& uid);
  void created_late(const cri::ContainerId& before);
  void ends(const cri::ContainerId& id, std::int32_t code);
  void lose_sight_of(const cri::ContainerId& id);
  void refuse_stop(const cri::ContainerId& id, bool refuses);
  void empty_cgroup(const std::string& pod_uid);
  void all_tasks_are_lost();
  // Nobody waits any more for an exit.
  void drop_waiters() { exit_waiters_.clear(); }

  // What its sandbox does to all that is in it.
  void kill_all(const cri::SandboxId& sandbox);  // as the machine does
  void stop_all(const cri::SandboxId& sandbox);  // without a TERM, as containerd does
  void drop_all(const cri::SandboxId& sandbox);

 private:
  std::optional<Error> may_create(const cri::SandboxId& sandbox, const cri::ContainerConfig& config,
                                  const std::string& name);
  Instance& add(const cri::ContainerId& id, const cri::SandboxId& sandbox,
                const cri::ContainerConfig& config, const std::string& uid);
  void make(const cri::ContainerId& id, const cri::SandboxId& sandbox,
            const cri::ContainerConfig& config, const std::string& uid);
  std::optional<Error> may_start(const cri::ContainerId& id);
  Result<cri::Done> start_now(const cri::ContainerId& id);
  void run_program(Instance& instance);
  std::optional<Error> begin_stop(const RuntimeCalls::FlightPtr& flight, const cri::ContainerId& id,
                                  std::chrono::seconds timeout);
  void clean_up_unknown(Instance& instance);
  void drop(Instance& instance);
  void send_term(Instance& instance);
  void send_kill(Instance& instance, KillCause cause, Nanoseconds dying);
  void exit_after(Instance& instance, Nanoseconds delay, std::int32_t code, std::string reason);
  // Changes the record only; no event is sent.
  void record_exit(Instance& instance, std::int32_t code, const std::string& reason,
                   SteadyTime shown);
  void exit_now(Instance& instance, std::int32_t code, const std::string& reason,
                Nanoseconds shown_after);

  RuntimeWorld& world_;
  RuntimeCalls& calls_;
  RuntimeEvents& events_;
  RuntimeObjects& objects_;
  SimulatedImages& images_;
  SimulatedCommands& commands_;
  std::map<std::string, std::vector<RuntimeCalls::FlightPtr>> exit_waiters_{};  // by container id
};

}  // namespace berth::simulation
