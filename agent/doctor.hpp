// What is not as it should be on this node, and what a kubelet that took over from here would do
// differently: the findings of `berthctl doctor`. Pure: who asks hands in what is known.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "agent/manifest_report.hpp"
#include "agent/settings.hpp"
#include "api/pod.hpp"
#include "lifecycle/obstacles.hpp"
#include "lifecycle/pod_events.hpp"

namespace berth::agent {

enum class Severity : std::uint8_t { kNote, kWarning, kTrouble };

struct Finding {
  Severity severity = Severity::kNote;
  std::string area{};     // runtime, store, configuration, manifests, pods, takeover
  std::string subject{};  // a file, a pod; empty: the area as a whole
  std::string text{};

  bool operator==(const Finding&) const = default;
};

// The state file, as far as something may be wrong with it.
struct StoreTroubles {
  std::string failing_since{};  // empty: all is well
  std::string error{};
  std::uint64_t history_dropped = 0;
  std::uint64_t unreadable_pods = 0;
  std::string moved_aside{};
};

// A pod that is shown, and the file that wishes it (empty: none does any more).
struct WishedPod {
  lifecycle::PodPtr pod{};
  std::string file{};
};

struct ManifestText {
  std::string file{};
  std::string content{};
};

struct DoctorInput {
  const Settings& settings;
  bool runtime_answers = true;
  std::string runtime_error{};
  bool events_connected = true;
  std::uint64_t missed_events = 0;
  StoreTroubles store{};
  const ManifestReport& manifests;
  std::vector<ManifestText> texts{};  // of the files that wish pods, as they are now
  std::vector<WishedPod> pods{};
  std::vector<lifecycle::HeldPod> held{};
};

// By area, in the order named above.
[[nodiscard]] std::vector<Finding> examine(const DoctorInput& input);

}  // namespace berth::agent
