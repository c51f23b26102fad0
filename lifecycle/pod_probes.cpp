// A worker and the probes of its pod: what it has the prober ask, and what comes of the answers.
//
// Results go into the plan and the status as values; a change rings the worker's bell, and the next
// turn decides. While the pod is stopped, liveness and startup end and readiness goes on, so that
// what sends it work can tell serving from not.

#include <utility>

#include <fmt/core.h>

#include "lifecycle/pod_worker.hpp"
#include "lifecycle/probe_exchange.hpp"

namespace berth::lifecycle {
namespace {

std::string_view word_of(probes::ProbeType type) {
  if (type == probes::ProbeType::kStartup) return "startup";
  return type == probes::ProbeType::kReadiness ? "readiness" : "liveness";
}

}  // namespace

// As far as the pod's state wants: from its first sight on, until nothing of it runs.
void PodWorker::attend_probes() {
  const bool wanted = state_ == WorkerState::kSyncing || state_ == WorkerState::kEnding;
  if (wanted && !probing_ && has_probes(*pod_)) {
    // Of what it starts itself, and of what the store knows, it knows the results.
    const bool adopted = found_running_ && !recalled_ && !probed_before_;
    // Of a pod that is being deleted the prober would take startup for passed; here it is probed
    // since before that, or by an earlier berthd.
    api::Pod probed = *pod_;
    probed.metadata.deletionTimestamp.reset();
    env_.prober.add_pod(probed,
                        results_to_go_on_from(probed, runtime_view(), kept_probes_, adopted));
    probing_ = true;
    probed_before_ = true;
    only_readiness_ = false;
  }
  if (!probing_) return;
  if (!wanted) return end_probes();
  if (only_readiness_ || (!end_ && state_ == WorkerState::kSyncing)) return;
  only_readiness_ = true;
  env_.prober.stop_liveness_and_startup(uid_);
}

void PodWorker::end_probes() {
  kept_probes_ = {};
  if (!probing_) return;
  probing_ = false;
  env_.prober.remove_pod(uid_);
}

ProbeResults PodWorker::probe_results() const {
  return probing_ ? published_results(env_.prober.held(uid_)) : kept_probes_;
}

void PodWorker::show_to_prober(const RuntimePod& runtime, const api::PodStatus& status) {
  if (!probing_) return;
  // What changes by this is known here already.
  showing_to_prober_ = true;
  env_.prober.see_pod(uid_, seen_pod(runtime, status, is_terminal_phase(shown_.phase)));
  showing_to_prober_ = false;
}

void PodWorker::probe_changed(const probes::ProbeChange& change) {
  if (!change.why.empty())
    happened("Probe", change.container,
             fmt::format("its {} probe {}", word_of(change.type), change.why));
  if (!showing_to_prober_) bell_.notify();
}

void PodWorker::probe_told(const probes::ProbeEvent& told) {
  warn_event(told.notice.reason, told.notice.message, told.container);
}

}  // namespace berth::lifecycle
