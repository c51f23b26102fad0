// SPDX-License-Identifier: Apache-2.0

// Converts probes for the control API.
#include <chrono>

#include "agent/serve/control_calls.hpp"
#include "api/time.hpp"
#include "probes/connection_tracking.hpp"
#include "probes/prober.hpp"

namespace berth::agent {
namespace {

std::int64_t microseconds(Nanoseconds time) {
  return std::chrono::duration_cast<std::chrono::microseconds>(time).count();
}

}  // namespace

void put(const probes::ProbeView& view, WallTime now, wire::Probe& out) {
  out.set_namespace_(view.pod.namespace_);
  out.set_pod(view.pod.name);
  out.set_container(view.container);
  out.set_type(std::string(probes::to_string(view.type)));
  if (view.state.held) out.set_result(std::string(probes::to_string(*view.state.held)));
  out.set_waits_for(std::string(view.waits_for));
  out.set_under_way(view.under_way);
  if (view.next_at) out.set_next_in_us(microseconds(*view.next_at - now));
  out.set_period_us(microseconds(view.period));
  out.set_worst_late_us(microseconds(view.worst_late));
  for (const auto& run : view.runs) {
    auto& row = *out.add_runs();
    row.set_time(api::Time{run.at}.to_string());
    row.set_took_us(microseconds(run.took));
    row.set_late_us(microseconds(run.late));
    row.set_outcome(std::string(probes::to_string(run.outcome)));
    row.set_standing(std::string(probes::to_string(run.standing)));
    row.set_words(run.words);
  }
  out.set_run(view.state.run);
  out.set_success_threshold(view.spec.successThreshold);
  out.set_failure_threshold(view.spec.failureThreshold);
  out.set_successful(view.counters.successful);
  out.set_failed(view.counters.failed);
  out.set_errored(view.counters.errored);
  out.set_held_up(view.counters.held_up);
}

void put(const probes::TrackingReport& report, wire::StatusReply& out) {
  const auto words = probes::tracking_words(report.closing, report.table, report.a_second);
  auto& tracking = *out.mutable_connection_tracking();
  tracking.set_entries(report.table.entries);
  tracking.set_limit(report.table.limit);
  tracking.set_probes_a_second(report.a_second);
  tracking.set_resets(words.note.value_or(std::string()));
  if (words.warning) out.add_warnings(*words.warning);
}

Result<Answered> answer(ControlSources& from, const wire::ListProbesRequest& request,
                        wire::ListProbesReply& reply) {
  if (!from.known.yet()) return fail(not_known_yet(from));
  const PodSelection selection(request.namespace_(), request.all_namespaces(), request.name(),
                               from.settings.node_name);
  const auto pods = selection.among(from.pods.snapshot());
  if (!pods) return fail(pods.error());
  const WallTime now = from.clock.wall_now();
  for (const auto& pod : *pods) {
    for (const auto& view : from.pods.prober().views(pod->metadata.uid))
      put(view, now, *reply.add_probes());
  }
  return Answered{};
}

}  // namespace berth::agent
