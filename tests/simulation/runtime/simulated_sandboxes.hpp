// SPDX-License-Identifier: Apache-2.0

// Sandboxes of the simulated runtime, and copies of them that another client made.
//
// Loop thread only.
#pragma once

#include <map>
#include <set>
#include <string>
#include <vector>

#include "cri/runtime.hpp"
#include "tests/simulation/runtime/runtime_calls.hpp"
#include "tests/simulation/runtime/runtime_events.hpp"
#include "tests/simulation/runtime/runtime_objects.hpp"
#include "tests/simulation/runtime/simulated_containers.hpp"

namespace berth::simulation {

class SimulatedSandboxes {
 public:
  SimulatedSandboxes(RuntimeWorld& world, RuntimeCalls& calls, RuntimeEvents& events,
                     RuntimeObjects& objects, SimulatedContainers& containers)
      : world_(world), calls_(calls), events_(events), objects_(objects), containers_(containers) {}

  // CRI's calls.
  cri::Call<cri::SandboxId> run(Context context, cri::PodSandboxConfig config);
  cri::Call<cri::Done> stop(Context context, cri::SandboxId id);
  cri::Call<cri::Done> remove(Context context, cri::SandboxId id);
  cri::Call<cri::PodSandboxStatus> status(Context context, cri::SandboxId id);
  cri::Call<std::vector<cri::PodSandbox>> list(Context context, cri::SandboxFilter filter);

  // What the fake world does (simulated_runtime.hpp).
  void runs_already(const cri::PodSandboxConfig& config,
                    const std::vector<cri::ContainerConfig>& containers);
  bool copy(const cri::SandboxId& id);
  void remove_copies();
  void dies(const cri::SandboxId& id, bool with_containers);
  void all_tasks_are_lost();
  void records_vanish(const std::string& pod_uid);
  void refuse_removal(const cri::SandboxId& id, std::string message);
  void refuse_status(const cri::SandboxId& id, bool refuses);

 private:
  SandboxRecord& add(const cri::PodSandboxConfig& config, const cri::SandboxId& id);
  void make(const cri::PodSandboxConfig& config, const cri::SandboxId& id);
  void end(SandboxRecord& sandbox, Nanoseconds shown_after);
  void remove_copies_of(const cri::SandboxId& id);
  Result<cri::Done> drop(const cri::SandboxId& id);
  std::optional<Error> begin_stop(const cri::SandboxId& id);
  std::optional<Error> may_remove(const cri::SandboxId& id);

  RuntimeWorld& world_;
  RuntimeCalls& calls_;
  RuntimeEvents& events_;
  RuntimeObjects& objects_;
  SimulatedContainers& containers_;
  std::map<std::string, std::string> refused_removals_{};  // by id: why
  std::set<std::string> refused_statuses_{};               // ids
};

}  // namespace berth::simulation
