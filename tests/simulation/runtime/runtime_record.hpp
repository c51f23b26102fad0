// SPDX-License-Identifier: Apache-2.0

// The truth about a simulated runtime: every sandbox and container instance it ever had, with the
// instants that matter. Records are never deleted, so that a check can look back; `removed` is set
// once the runtime itself no longer knows them.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/clock_types.hpp"
#include "cri/types.hpp"
#include "tests/simulation/container_program.hpp"

namespace berth::simulation {

// Who sent the KILL.
enum class KillCause : std::uint8_t {
  kStopTimeout,    // StopContainer, after its timeout
  kStopSandbox,    // StopPodSandbox found it running
  kRemove,         // RemoveContainer or RemovePodSandbox found it running
  kCgroupCleanup,  // the pod's cgroup was emptied
  kMachine         // the fake world itself: out of memory, a dying sandbox
};

struct SandboxRecord {
  cri::SandboxId id{};
  cri::PodSandboxConfig config{};
  std::int64_t created_at = 0;  // unix ns, as CRI shows it
  SteadyTime created{};
  std::string ip{};
  bool stop_called = false;
  std::optional<SteadyTime> died{};        // not ready since
  std::optional<SteadyTime> died_shown{};  // when the runtime begins to show it
  std::optional<SteadyTime> removed{};
  std::optional<cri::SandboxId> copy_of{};  // another client made it of this one
};

struct Instance {
  cri::ContainerId id{};
  cri::SandboxId sandbox{};
  std::string pod_uid{};
  std::string name{};
  cri::ContainerConfig config{};
  ContainerProgram program{};
  std::int64_t created_at = 0, started_at = 0, finished_at = 0;  // unix ns, as CRI shows them
  SteadyTime created{};
  std::optional<SteadyTime> start_called{};  // the call that took effect
  std::optional<SteadyTime> started{};
  std::optional<SteadyTime> first_stop_called{};  // whether or not the call did anything
  std::optional<SteadyTime> last_stop_called{};
  std::optional<SteadyTime> first_term{};
  std::optional<SteadyTime> first_kill{};
  std::optional<SteadyTime> exited{};
  std::optional<SteadyTime> exit_shown{};  // when ContainerStatus begins to report EXITED
  bool exit_reported = false;              // ContainerStatus was called since, and has reported it
  bool sight_lost = false;                 // its exit was shown as UNKNOWN until it was stopped
  std::optional<SteadyTime> removed{};
  std::int32_t exit_code = 0;
  std::string reason{};
  bool starting = false;
  bool refuses_stop = false;                 // StopContainer fails, whoever calls it
  std::optional<SteadyTime> last_refused{};  // the last call that failed so
  bool stop_failed = false;                  // the last call failed, or was reported as failed

  [[nodiscard]] bool live() const { return started && !exited; }
};

// Sees everything that really happens, at the instant it happens. Its arguments are the records
// themselves, valid as long as the runtime.
class Witness {
 public:
  Witness() = default;
  Witness(const Witness&) = delete;
  Witness& operator=(const Witness&) = delete;
  virtual ~Witness() = default;

  virtual void sandbox_called(const cri::PodSandboxConfig&) {}  // the agent requested it
  virtual void sandbox_created(const SandboxRecord&) {}
  virtual void sandbox_stop_called(const SandboxRecord&) {}
  virtual void created(const Instance&) {}
  // The agent requested the start, which may still fail.
  virtual void start_called(const Instance&) {}
  virtual void started(const Instance&) {}
  virtual void stop_called(const Instance&, std::chrono::seconds /*timeout*/) {}
  virtual void terminated(const Instance&) {}  // TERM was delivered
  virtual void killed(const Instance&, KillCause) {}
  virtual void exited(const Instance&) {}
  // A hook's command was requested; it takes that long.
  virtual void hook_called(const Instance&, HookKind, Nanoseconds /*takes*/) {}
  // The agent requested an image; it was notified that the pull failed.
  virtual void pull_called(const std::string& /*pod_uid*/, const std::string& /*image*/) {}
  virtual void pull_failed(const std::string& /*pod_uid*/, const std::string& /*image*/) {}
  virtual void image_removal_called(const std::string& /*id*/) {}
  virtual void log_reopened(const Instance&) {}
};

}  // namespace berth::simulation
