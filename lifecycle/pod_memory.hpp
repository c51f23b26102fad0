// SPDX-License-Identifier: Apache-2.0

// What must outlive berthd for one incarnation and cannot be read back from the runtime: the pod's
// row in the store.
//
// A worker creates a new value whenever something in it changed, and has it stored (pod_store)
// before it acts wherever losing it would change behaviour; after a restart of berthd the worker
// begins from the stored value. Times that decide something are wall time, because steady time does
// not survive a reboot. Plain values.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <set>
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

// The verdict on an incarnation. It decides whether the pod may run again; the phase never does.
enum class Verdict : std::uint8_t {
  kNone,       // it runs, or should run
  kRejected,   // admission refused it: Failed for good
  kCompleted,  // it finished, or was ended and is kept: nothing of it starts any more
  kEnded,      // it was deleted and nothing is left of it; kept until its successor is stored
  kCollected,  // it finished and nothing is left of it; kept while its manifest exists
};

// A container whose stop has begun, or is about to.
struct StopMemory {
  WallTime begun_at{};
  WallTime kill_at{};  // when its grace period is over
  // Its preStop hook has run, was about to, or would come too late.
  bool pre_stop = false;
  bool operator==(const StopMemory&) const = default;
};

// A start whose success is not confirmed yet. It counts for the restart backoff once the runtime
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
  api::PodStatus status{};                    // as last stamped; shown when its containers are gone
  std::optional<EndInForce> end{};            // ordered, or caused by the deadline
  std::map<std::string, StopMemory> stops{};  // by container id
  std::map<std::string, StartAgain> start_again{};       // by container id
  std::map<std::string, std::uint32_t> next_attempts{};  // by container name
  std::map<std::string, StartMemory> pending_starts{};   // by container name
  RestartBackoff restarts{};
  ImagePullBackoff pulls{};
  std::set<std::string> sandboxes{};  // ids: a copy that somebody made of one is not the pod's
  ProbeResults probes{};              // as last published: readiness does not flap over a restart
};

using PodMemoryPtr = std::shared_ptr<const PodMemory>;

}  // namespace berth::lifecycle
