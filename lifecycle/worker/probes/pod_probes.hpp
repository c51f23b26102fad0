// SPDX-License-Identifier: Apache-2.0

// The probes of one pod: what the prober is asked to probe, and the results that it has published.
//
// Plan and status take the results as values (`results`). While the pod is being stopped, liveness
// and startup probes end and readiness probes continue, so that clients can see whether it still
// serves. Results that an earlier berthd stored are valid until probing begins. Loop thread only;
// the prober outlives this object.
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

  // Loads the stored results. Call before probing begins.
  void recall(ProbeResults stored) { stored_ = std::move(stored); }

  // Whether the pod has probes, and probing has not begun.
  [[nodiscard]] bool can_begin(const api::Pod& pod) const;
  // `runtime`: what already runs. `adopted`: berthd found the pod running and knows nothing about
  // it.
  void begin(const api::Pod& pod, const RuntimePod& runtime, bool adopted);
  // Called when the stop of the pod begins.
  void keep_readiness_only();
  // Ends probing: nothing of the pod runs any more.
  void end();

  [[nodiscard]] ProbeResults results() const;
  // Reports to the prober what runs and what is shown of it. `finished`: the pod is shown as over.
  void show(const RuntimePod& runtime, const api::PodStatus& status, bool finished);
  // Whether a change of results comes from within `show`, whose caller already knows it.
  [[nodiscard]] bool showing() const { return showing_; }

 private:
  enum class Probing : std::uint8_t { kNotYet, kNotNow, kAll, kReadinessOnly };
  [[nodiscard]] bool probing() const {
    return probing_ == Probing::kAll || probing_ == Probing::kReadinessOnly;
  }

  probes::Prober& prober_;
  const std::string uid_;
  Probing probing_ = Probing::kNotYet;  // kNotNow: it was probed before
  ProbeResults stored_{};               // used while nothing is probed
  bool showing_ = false;
};

}  // namespace berth::lifecycle
