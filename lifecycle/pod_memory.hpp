// SPDX-License-Identifier: Apache-2.0

// What must outlive berthd of one incarnation and cannot be read back from the runtime: the
// store's row of a pod.
//
// A worker makes a new value of it whenever something in it changed and has it stored (pod_store)
// before it acts where losing it would change behaviour; after a start of berthd the worker begins
// from it. Times that decide something are wall time, because steady time ends with the machine.
// Plain values.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>

#include "api/pod.hpp"
#include "base/clock_types.hpp"
#include "lifecycle/ending.hpp"
#include "lifecycle/image_pull_backoff.hpp"
#include "lifecycle/pod_events.hpp"
#include "lifecycle/probe_results.hpp"
#include "lifecycle/restart_backoff.hpp"
#include "lifecycle/runtime_pod.hpp"

namespace berth::lifecycle {

// Whether a pod may run again is decided by what was said of its incarnation, never by its phase.
enum class Verdict : std::uint8_t {
  kNone,       // it runs, or is to run
  kRejected,   // admission refused it: Failed for good
  kCompleted,  // it finished, or was ended and is kept: nothing of it is started any more
  kEnded,      // it was deleted and nothing is left of it; kept until its successor is stored
  kCollected,  // it finished and nothing is left of it; kept while its manifest stands
};

// A container that was, or is about to be, told to stop.
struct StopMemory {
  WallTime begun_at{};
  WallTime kill_at{};  // when its grace period is over
  // Its preStop hook has been run, was about to be, or would come too late.
  bool pre_stop = false;
  bool operator==(const StopMemory&) const = default;
};

// A start whose success is not confirmed yet: it counts for the restart backoff once the runtime
// shows that the container ran.
struct StartMemory {
  std::string container_id{};
  std::optional<WallTime> last_exit{};  // of the instance before it
  WallTime at{};
  bool operator==(const StartMemory&) const = default;
};

struct PodMemory {
  std::string uid{};
  std::uint64_t incarnation = 1;
  PodPtr pod{};  // as admitted, priority included; never null
  Verdict verdict = Verdict::kNone;
  api::PodStatus status{};          // as last stamped: what is shown when its containers are gone
  std::optional<EndInForce> end{};  // that was ordered, or that the deadline made
  std::map<std::string, StopMemory> stops{};             // by container id
  std::map<std::string, StartAgain> start_again{};       // by container id
  std::map<std::string, std::uint32_t> next_attempts{};  // by container name
  std::map<std::string, StartMemory> pending_starts{};   // by container name
  RestartBackoff restarts{};
  ImagePullBackoff pulls{};
  ProbeResults probes{};  // as last published: readiness does not flap over a restart
  // The boot of the machine on which it was stored: for who reads the store. What a reboot did to
  // the containers, the runtime shows.
  std::string boot_id{};
};

using PodMemoryPtr = std::shared_ptr<const PodMemory>;

}  // namespace berth::lifecycle
