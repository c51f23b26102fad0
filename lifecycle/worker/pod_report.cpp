// SPDX-License-Identifier: Apache-2.0

#include "lifecycle/worker/pod_report.hpp"

#include <algorithm>
#include <memory>
#include <string>
#include <utility>

#include <fmt/core.h>

#include "lifecycle/status/pod_status.hpp"
#include "lifecycle/status/shown_containers.hpp"
#include "lifecycle/status/status_stamp.hpp"
#include "lifecycle/worker/pod_facts.hpp"
#include "lifecycle/worker/pod_parts.hpp"
#include "lifecycle/worker/pod_persistence.hpp"
#include "node/qos.hpp"

namespace berth::lifecycle {

namespace {

// When the oldest existing sandbox was created; 0 if the runtime does not report it.
std::int64_t oldest_sandbox(const ObservedPod& observed) {
  std::int64_t oldest = observed.sandboxes().begin()->second.created_at;
  for (const auto& [id, sandbox] : observed.sandboxes())
    oldest = std::min(oldest, sandbox.created_at);
  return oldest;
}

// A pod that was found again after a restart began with its oldest sandbox.
void begin_with_sandbox(const ObservedPod& observed, ShownStatus& status) {
  if (status.computed().startTime || observed.sandboxes().empty()) return;
  const std::int64_t oldest = oldest_sandbox(observed);
  if (observed.found_something() && oldest != 0)
    status.begin_at(api::Time::from_unix_nanoseconds(oldest).whole_seconds());
}

}  // namespace

PodReport::PodReport(PodParts& parts, const PodFacts& facts, PodPersistence& persistence)
    : env_(parts.env),
      pod_(parts.pod),
      teller_(parts.teller),
      course_(parts.course),
      mailbox_(parts.mailbox),
      children_(parts.children),
      timetable_(parts.timetable),
      observed_(parts.observed),
      keeper_(parts.keeper),
      stops_(parts.stops),
      probes_(parts.probes),
      starts_(parts.starts),
      setup_(parts.setup),
      status_(parts.status),
      facts_(facts),
      persistence_(persistence) {}

void PodReport::refresh() {
  persistence_.forget_ended_stops();
  const bool stored = keeper_.is_final();
  const bool decided = keeper_.is_decided() && is_terminal_phase(status_.computed().phase);
  const bool ends = course_.state() != WorkerState::kSyncing;
  const RuntimePod runtime =
      shown_part(facts_.runtime_view(), {.post_starts = facts_.post_starts_under_way(),
                                         .previous = &status_.computed(),
                                         .decided = decided ? &status_.computed() : nullptr,
                                         .ends = ends});
  observed_.keep_ips(runtime.ips);
  begin_with_sandbox(observed_, status_);
  const ProbeResults results = probes_.results();
  const ActuatedResources actuated = actuated_as_specified(*pod_);
  const NodeAddresses addresses = facts_.node_addresses();
  const StartErrors start_errors = starts_.errors();
  const bool over = course_.over();
  const PodStatusInput input{
      .pod = *pod_,
      .previous = &status_.computed(),
      .runtime = runtime,
      .actuated = actuated,
      .start_errors = start_errors,
      .probes = results,
      .addresses = addresses,
      .qos_class = std::string(node::to_string(node::compute_qos_class(*pod_))),
      .pod_is_terminal = over,
      .phase_decided =
          ends && is_terminal_phase(status_.computed().phase) && facts_.shown_failure() == nullptr,
      .deadline_exceeded = past_deadline(course_.end()),
      .runtime_name = env_.now.runtime_name,
      .recursive_read_only_supported = setup_.recursive_read_only(),
      .options = env_.options.features};
  api::PodStatus computed = compute_pod_status(input);
  if (over) computed = finalise_status(*pod_, std::move(computed), env_.options.features);
  computed = with_restarts_counted(status_.computed(), std::move(computed));
  if (decided) computed = with_decided_history(status_.computed(), std::move(computed));
  const WallTime now = env_.clock.wall_now();
  api::PodStatus stamped = stamp_status(*pod_, status_.computed(), std::move(computed), now);
  probes_.show(runtime, stamped, is_terminal_phase(status_.shown().phase));
  if (auto illegal = illegal_transition(*pod_, status_.computed(), stamped, env_.options.features,
                                        running_again(*pod_, status_.computed(), runtime))) {
    teller_.log(LogLevel::kWarn, "IllegalTransition", *illegal);
    if (!status_.shown_once()) show(status_.shown());  // as an earlier berthd has shown it
    return;
  }
  const bool may_run = facts_.containers_may_run() || !stored;
  api::PodStatus shown = shown_status(*pod_, status_.shown(), stamped, may_run, now);
  keep_disruption_time(shown, stamped);
  const std::string decision =
      record_phase(input, may_run, {.phase = stamped.phase, .shown = shown.phase});
  record_readiness(input, stamped);
  record_containers(input, decided, stamped);
  status_.compute(std::move(stamped));
  show(std::move(shown), decision);
}

// Records the phase as published; retaking the decision from the record must yield the same phase.
std::string PodReport::record_phase(const PodStatusInput& input, bool containers_may_run,
                                    const PhaseDecision& published) {
  if (published.phase == status_.computed().phase && published.shown == status_.shown().phase)
    return {};
  PhaseQuestion question = phase_question(input);
  question.finalised = input.pod_is_terminal;
  question.shown_before = status_.shown().phase;
  question.containers_may_run = containers_may_run;
  PhaseDecision decision = decide_phase(question);
  decision.phase = published.phase;
  decision.shown = published.shown;
  return teller_.ledger().decided(question, decision, env_.clock.wall_now());
}

// Records the readiness, likewise.
void PodReport::record_readiness(const PodStatusInput& input, const api::PodStatus& published) {
  if (same_readiness(status_.computed(), published)) return;
  teller_.decided(readiness_question(input, published), readiness_in(*pod_, published));
}

// Records what is shown of the containers, likewise.
void PodReport::record_containers(const PodStatusInput& input, bool decided,
                                  const api::PodStatus& published) {
  if (same_containers_shown(status_.computed(), published)) return;
  const ContainersQuestion question = containers_question(input, decided, published);
  teller_.decided(question, containers_in(published, question.names));
}

void PodReport::show(api::PodStatus next, const std::string& decision) {
  const ShownSpec spec{.pod = pod_, .end = facts_.ordered_end()};
  if (!status_.differs(next, spec)) return;
  if (status_.shown().phase != next.phase)
    teller_.log(
        LogLevel::kInfo, "PodPhase",
        fmt::format("{} -> {}", status_.shown().phase.empty() ? "(none)" : status_.shown().phase,
                    next.phase),
        About{.decision = decision, .reason = next.reason});
  status_.show(std::move(next), spec);
  auto pod = as_ordered();
  pod->status = status_.shown();
  env_.owner.publish(pod_->metadata.uid, pod);
}

// Publishes the order at once, whatever the worker is doing, so that whoever gave it sees it.
void PodReport::show_order() {
  if (status_.shown_once()) show(status_.shown());
}

// The pod with its orders, including one that still waits in the mailbox.
std::shared_ptr<api::Pod> PodReport::as_ordered() const {
  const std::optional<EndInForce> end = facts_.ordered_end();
  if (!mailbox_.orders().end || !removes(end)) return std::make_shared<api::Pod>(*pod_);
  return being_deleted(*pod_, *end);
}

std::vector<Obstacle> PodReport::obstacles() const {
  std::vector<Obstacle> found = teller_.obstacles();
  std::erase_if(found, [this](const Obstacle& one) {
    if (one.id.empty()) return false;
    const ObservedContainer* container = observed_.container(one.id);
    if (container == nullptr) return observed_.sandbox(one.id) == nullptr;
    return one.kind == ObstacleKind::kStop &&
           container->status.state == cri::ContainerState::kExited;
  });
  return found;
}

PodActivity PodReport::activity() const {
  return {.state = std::string(to_string(course_.state())),
          .under_way = children_.names(),
          .stopping = stops_.names_under_way(),
          .wakes_at = timetable_.next_look(),
          .last = teller_.last()};
}

}  // namespace berth::lifecycle
