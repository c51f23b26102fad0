// What refuses new pods because the node is short of something: asked before everything else of
// admission, as in the kubelet.
//
// An interface, because pressure is measured and decided elsewhere (eviction/pressure_admission).
// Loop thread only.
#pragma once

#include <optional>
#include <string>

#include "api/pod.hpp"

namespace berth::lifecycle {

struct PressureRefusal {
  std::string reason{};   // Evicted
  std::string message{};  // "The node had condition: [MemoryPressure]. "

  bool operator==(const PressureRefusal&) const = default;
};

class PressureGate {
 public:
  PressureGate() = default;
  PressureGate(const PressureGate&) = delete;
  PressureGate& operator=(const PressureGate&) = delete;
  virtual ~PressureGate() = default;

  // None: the pod may be admitted as far as pressure goes.
  [[nodiscard]] virtual std::optional<PressureRefusal> refusal(const api::Pod& pod) const = 0;
};

}  // namespace berth::lifecycle
