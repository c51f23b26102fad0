// SPDX-License-Identifier: Apache-2.0

// Refuses new pods because the node is short of some resource. Checked before everything else in
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

  // Unset if the pod may be admitted as far as pressure is concerned.
  [[nodiscard]] virtual std::optional<Refusal> refusal(const api::Pod& pod) const = 0;
};

}  // namespace berth::lifecycle
