// SPDX-License-Identifier: Apache-2.0

// What refuses new pods because the node is short of something: asked before everything else of
// admission, as in the kubelet.
//
// An interface, because pressure is measured and decided elsewhere (eviction/pressure_admission).
// Loop thread only.
#pragma once

#include <optional>

#include "api/pod.hpp"
#include "lifecycle/admission/refusal.hpp"

namespace berth::lifecycle {

class PressureGate {
 public:
  PressureGate() = default;
  PressureGate(const PressureGate&) = delete;
  PressureGate& operator=(const PressureGate&) = delete;
  virtual ~PressureGate() = default;

  // Unset: the pod may be admitted as far as pressure goes.
  [[nodiscard]] virtual std::optional<Refusal> refusal(const api::Pod& pod) const = 0;
};

}  // namespace berth::lifecycle
