// SPDX-License-Identifier: Apache-2.0

#include "lifecycle/worker/probes/pod_probes.hpp"

#include <utility>

#include "lifecycle/worker/probes/probe_exchange.hpp"

namespace berth::lifecycle {

bool PodProbes::can_begin(const api::Pod& pod) const {
  return !probing() && has_probes(pod);
}

void PodProbes::begin(const api::Pod& pod, const RuntimePod& runtime, bool adopted) {
  // Once this berthd has probed the pod itself, it knows the results.
  const bool unknown = adopted && probing_ == Probing::kNotYet;
  // The prober would consider startup passed in a pod that is being deleted; this pod has been
  // probed since before its deletion, or by an earlier berthd.
  api::Pod probed = pod;
  probed.metadata.deletionTimestamp.reset();
  prober_.add_pod(probed, results_to_go_on_from(probed, runtime, stored_, unknown));
  probing_ = Probing::kAll;
}

void PodProbes::keep_readiness_only() {
  if (probing_ != Probing::kAll) return;
  probing_ = Probing::kReadinessOnly;
  prober_.stop_liveness_and_startup(uid_);
}

void PodProbes::end() {
  if (!probing()) return;
  stored_ = {};
  probing_ = Probing::kNotNow;
  prober_.remove_pod(uid_);
}

ProbeResults PodProbes::results() const {
  return probing() ? published_results(prober_.held(uid_)) : stored_;
}

void PodProbes::show(const RuntimePod& runtime, const api::PodStatus& status, bool finished) {
  if (!probing()) return;
  showing_ = true;
  prober_.see_pod(uid_, seen_pod(runtime, status, finished));
  showing_ = false;
}

}  // namespace berth::lifecycle
