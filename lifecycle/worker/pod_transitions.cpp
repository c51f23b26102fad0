// SPDX-License-Identifier: Apache-2.0

#include "lifecycle/worker/pod_transitions.hpp"

#include <memory>
#include <utility>

#include <fmt/core.h>

#include "lifecycle/grace_period.hpp"
#include "lifecycle/interrupted_stops.hpp"
#include "lifecycle/lost_containers.hpp"
#include "lifecycle/status/foreign_conditions.hpp"
#include "lifecycle/status/status_stamp.hpp"
#include "lifecycle/worker/pod_facts.hpp"
#include "lifecycle/worker/pod_parts.hpp"
#include "lifecycle/worker/pod_report.hpp"
#include "lifecycle/worker/probes/probe_exchange.hpp"
#include "lifecycle/worker/stops/pod_termination.hpp"

namespace berth::lifecycle {

namespace {

// A terminal phase without a verdict has not been shown yet: the containers may still run.
api::PodStatus as_shown(const PodMemory& memory) {
  return memory.verdict == Verdict::kNone ? shown_while_running(memory.status) : memory.status;
}

}  // namespace

PodTransitions::PodTransitions(PodParts& parts, const PodFacts& facts, PodReport& report,
                               PodTermination& termination)
    : env_(parts.env),
      pod_(parts.pod),
      teller_(parts.teller),
      course_(parts.course),
      timetable_(parts.timetable),
      observed_(parts.observed),
      keeper_(parts.keeper),
      stops_(parts.stops),
      probes_(parts.probes),
      starts_(parts.starts),
      status_(parts.status),
      facts_(facts),
      report_(report),
      termination_(termination) {}

void PodTransitions::apply_order(const Ending& order) {
  const std::optional<OrderInForce> next = facts_.end_with(order);
  if (next && (removes(order) || next->end != course_.end())) put_in_force(*next);
}

// Without a decision of the grace period if an earlier berthd has taken it.
void PodTransitions::put_in_force(const OrderInForce& order) {
  const EndInForce& end = order.end;
  const std::optional<DecidedGrace>& grace = order.grace;
  course_.order(end);
  // Read before the status is computed as the order requires.
  const bool lives =
      course_.state() == WorkerState::kSyncing && !is_terminal_phase(status_.computed().phase);
  if (const ShownFailure* failure = facts_.shown_failure())
    status_.compute(failed_status(*pod_, status_.computed(), *failure, env_.clock.wall_now()));
  if (!sets_period(end.ending)) return;
  if (grace) teller_.ledger().decided(grace->question, grace->decision, env_.clock.wall_now());
  const bool changes = !grace || grace->is_new();
  if (changes) course_.begin_period(env_.clock.steady_now());
  if (removes(end.ending)) pod_ = being_deleted(*pod_, end);
  if (changes) termination_.order_stops(lives);
}

void PodTransitions::set_conditions(const std::map<std::string, api::PodCondition>& conditions) {
  if (conditions.empty()) return;
  auto next = std::make_shared<api::Pod>(*pod_);
  for (const auto& [type, condition] : conditions) {
    put_condition(next->status.conditions, condition, env_.clock.wall_now());
    teller_.happened("Condition", {},
                     fmt::format("its condition {} is set to {}", type, condition.status));
  }
  pod_ = std::move(next);
}

void PodTransitions::enter(WorkerState state, std::string_view why) {
  const std::string record =
      teller_.happened({}, StateEntered{.from = std::string(to_string(course_.state())),
                                        .to = std::string(to_string(state)),
                                        .because = std::string(why)});
  teller_.log(LogLevel::kInfo, "PodState",
              fmt::format("{} -> {}: {}", to_string(course_.state()), to_string(state), why),
              About{.decision = record});
  course_.enter(state, pod_->metadata.uid);
  timetable_.retry_all();
  // Nothing starts any more, so nothing waits for a start.
  starts_.forget_errors();
  stops_.singles_over();
  if (state == WorkerState::kEnded) env_.owner.left_node(pod_->metadata.uid);
}

void PodTransitions::begin_from(const PodMemory& memory) {
  const LossQuestion question = loss_question(memory);
  if (!observed_.listed_empty() || !has_lost(question)) return recall(memory);
  const LossDecision decision = decide_loss(question);
  const bool begins_again = !decision.failed && !question.ending;
  recall(decision.failed ? failed_by_loss(memory, env_.clock.wall_now())
         : begins_again  ? begun_again(memory)
                         : memory);
  if (decision.failed) {
    keeper_.reopen();
    status_.recall_shown(as_shown(memory));
  }
  const std::string record = teller_.ledger().decided(question, decision, env_.clock.wall_now());
  const Reason reason = loss_reason(question, decision);
  teller_.log(LogLevel::kWarn, reason.rule, reason.text, About{.decision = record});
}

void PodTransitions::recall(const PodMemory& memory) {
  status_.compute(memory.status);
  status_.recall_shown(as_shown(memory));
  starts_.recall(memory, *pod_);
  keeper_.recall(memory.verdict);
  std::vector<std::string> ips;
  for (const api::PodIP& address : memory.status.podIPs) ips.push_back(address.ip);
  observed_.keep_ips(std::move(ips));
  // The results of probes that an edit has removed no longer count.
  if (has_probes(*pod_)) probes_.recall(memory.probes);
  stops_.recall(memory.stops, stops_to_go_on(memory, env_.options.termination_on_restart),
                facts_.instant());
  if (!memory.pod->status.conditions.empty()) {
    auto pod = std::make_shared<api::Pod>(*pod_);
    pod->status.conditions = memory.pod->status.conditions;
    pod_ = std::move(pod);
  }
  if (memory.end && (removes(memory.end->ending) || memory.verdict == Verdict::kNone))
    put_in_force({.end = *memory.end});
  else
    course_.order(memory.end);
  // The remains of the pod may be removed further; how it ended no longer changes.
  if (keeper_.ended_before()) course_.enter(WorkerState::kEnded, pod_->metadata.uid);
}

void PodTransitions::exceed_deadline() {
  const std::optional<EndInForce>& before = course_.end();
  const Ending order =
      as_given(active_deadline(env_.clock.wall_now()), before, status_.computed().phase);
  course_.order(in_force(*pod_, before, order).end);
  teller_.event(EventLevel::kNormal, kDeadlineExceeded, std::string(kDeadlineExceededMessage));
  report_.refresh();
}

}  // namespace berth::lifecycle
