// SPDX-License-Identifier: Apache-2.0

// A pod's memory in the form in which the store keeps it (lifecycle/pod_memory.hpp in JSON).
//
// Members have JSON's own types: words for enumerations, nanoseconds since 1970 for times and plain
// nanoseconds for durations. Initial values are zero or empty, because the codec omits such
// members. A member is never renamed; a new one must make sense when it is missing.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "api/pod.hpp"
#include "base/result.hpp"

namespace berth::agent {

struct StoredStop {
  std::int64_t begunAt = 0;
  std::int64_t killAt = 0;
  bool preStop = false;
};

struct StoredStart {
  std::string containerId{};
  std::optional<std::int64_t> lastExit{};
  std::int64_t at = 0;
};

struct StoredFailure {
  std::string reason{};
  std::string message{};
  std::optional<std::string> disruption{};
};

struct StoredEnd {
  std::string cause{};
  std::optional<std::int64_t> graceOverrideSeconds{};
  std::int64_t requestedAt = 0;
  std::int64_t graceSeconds = 0;
  bool forced = false;
  std::optional<StoredFailure> failure{};
};

struct StoredRestart {
  std::int64_t window = 0;
  std::int64_t lastStart = 0;
};

struct StoredPull {
  std::string uid{};
  std::string image{};
  std::int64_t window = 0;
  std::int64_t lastFailure = 0;
  std::string reason{};
  std::string message{};
};

// Words by container id.
struct StoredProbes {
  std::map<std::string, std::string> liveness{};
  std::map<std::string, std::string> readiness{};
  std::map<std::string, std::string> startup{};
};

struct StoredMemory {
  std::string uid{};
  std::uint64_t incarnation = 0;
  std::optional<api::Pod> pod{};
  std::string verdict{};
  std::optional<api::PodStatus> status{};
  std::optional<StoredEnd> end{};   // that removes the pod
  std::optional<StoredEnd> kept{};  // that keeps it: an older berthd knows only one of the two
  std::map<std::string, StoredStop> stops{};
  std::map<std::string, std::string> startAgain{};  // words by container id
  std::map<std::string, std::uint32_t> nextAttempts{};
  std::map<std::string, StoredStart> pendingStarts{};
  std::map<std::string, StoredRestart> restarts{};
  std::vector<StoredPull> pulls{};
  // The failure for an exceeded deadline. Set beside `kept`, until the pod has its verdict: the
  // only way to say "stop it, and never start it again" to a berthd that does not know `kept`.
  bool deadlineExceeded = false;
  std::optional<StoredProbes> probes{};
  std::vector<std::string> sandboxes{};  // ids
};

[[nodiscard]] std::string stored_text(const StoredMemory& memory);
[[nodiscard]] Result<StoredMemory> read_stored(std::string_view text);

}  // namespace berth::agent
