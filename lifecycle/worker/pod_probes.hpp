// SPDX-License-Identifier: Apache-2.0

// The probes of one pod: what the prober is asked to probe, and what it has published.
//
// Results go into plan and status as values (`results`). While the pod is stopped, liveness and
// startup end and readiness goes on, so that whatever sends it work can tell serving from not.
// Results that an earlier berthd stored stand until probing begins. Loop thread only; the prober
// outlives this.
#pragma once

#include <cstdint>
#include <string>

#include "api/pod.hpp"
#include "lifecycle/probe_results.hpp"
#include "lifecycle/runtime_pod.hpp"
#include "probes/prober.hpp"

namespace berth::lifecycle {

class PodProbes {
 public:
  PodProbes(probes::Prober& prober, std::string uid) : prober_(prober), uid_(std::move(uid)) {}
  PodProbes(const PodProbes&) = delete;
  PodProbes& operator=(const PodProbes&) = delete;
  ~PodProbes() = default;

  // As the store had them; before probing begins.
  void recall(ProbeResults stored) { stored_ = std::move(stored); }

  // Whether the pod has probes, and nothing is probed yet.
  [[nodiscard]] bool can_begin(const api::Pod& pod) const;
  // `runtime`: what runs already. `adopted`: berthd found it running and knows nothing of it.
  void begin(const api::Pod& pod, const RuntimePod& runtime, bool adopted);
  // From when the pod is stopped.
  void keep_readiness_only();
  // Nothing of the pod runs any more.
  void end();

  [[nodiscard]] ProbeResults results() const;
  // What runs, and what is shown of it. `finished`: the pod is shown as over.
  void show(const RuntimePod& runtime, const api::PodStatus& status, bool finished);
  // Whether a change of results comes from `show`, whose caller knows it already.
  [[nodiscard]] bool showing() const { return showing_; }

 private:
  enum class Probing : std::uint8_t { kNotYet, kNotNow, kAll, kReadinessOnly };
  [[nodiscard]] bool probing() const {
    return probing_ == Probing::kAll || probing_ == Probing::kReadinessOnly;
  }

  probes::Prober& prober_;
  const std::string uid_;
  Probing probing_ = Probing::kNotYet;  // kNotNow: it was probed before
  ProbeResults stored_{};               // while nothing is probed
  bool showing_ = false;
};

}  // namespace berth::lifecycle
