// What a worker shows of its pod and tells about its deeds: status, events, notes, log.

#include <algorithm>
#include <memory>
#include <set>
#include <string>
#include <tuple>
#include <utility>

#include <fmt/core.h>

#include "lifecycle/decided_starts.hpp"
#include "lifecycle/pod_spec.hpp"
#include "lifecycle/pod_status.hpp"
#include "lifecycle/pod_worker.hpp"
#include "lifecycle/status_stamp.hpp"
#include "lifecycle/stray_sandboxes.hpp"
#include "node/qos.hpp"

namespace berth::lifecycle {

namespace {

struct Made {
  std::string id{};
  std::string name{};
  std::uint32_t attempt = 0;
  std::int64_t created_at = 0;
};

}  // namespace

// By sandbox or container id. A later attempt is never the older one, even if the wall clock was
// set back between the two.
std::map<std::string, std::int64_t> PodWorker::creation_times() const {
  std::vector<Made> all;
  for (const auto& [id, sandbox] : observed_.sandboxes())
    all.push_back(
        {.id = id, .attempt = sandbox.metadata.attempt, .created_at = sandbox.created_at});
  for (const auto& [id, container] : observed_.containers())
    all.push_back({.id = id,
                   .name = container.status.metadata.name,
                   .attempt = container.status.metadata.attempt,
                   .created_at = container.status.created_at});
  std::ranges::sort(
      all, {}, [](const Made& made) { return std::tie(made.name, made.attempt, made.created_at); });
  std::map<std::string, std::int64_t> times;
  const Made* before = nullptr;
  for (Made& made : all) {
    if (before != nullptr && before->name == made.name)
      made.created_at = std::max(made.created_at, before->created_at + 1);
    times.emplace(made.id, made.created_at);
    before = &made;
  }
  return times;
}

RuntimePod PodWorker::runtime_view() const {
  const std::map<std::string, std::int64_t> created = creation_times();
  const std::set<std::string> strays = stray_sandboxes(observed_, *pod_);
  std::vector<cri::PodSandboxStatus> sandboxes;
  for (const auto& [id, sandbox] : observed_.sandboxes()) {
    if (strays.contains(id)) continue;
    sandboxes.push_back(sandbox);
    sandboxes.back().created_at = created.at(id);
  }
  std::vector<cri::ContainerStatus> containers;
  std::map<cri::ContainerId, cri::SandboxId> sandbox_of;
  for (const auto& [id, container] : observed_.containers()) {
    containers.push_back(container.status);
    containers.back().created_at = created.at(id);
    sandbox_of.emplace(cri::ContainerId(id), cri::SandboxId(container.sandbox));
  }
  std::map<std::string, cri::ContainerId> starts;
  for (const auto& [name, start] : pending_starts_) starts.emplace(name, start.id);
  RuntimePod runtime =
      with_one_running(runtime_pod(*pod_, sandboxes, containers, sandbox_of), starts);
  if (!end_ && state_ == WorkerState::kSyncing) {
    for (RuntimeContainer& container : runtime.containers) {
      const auto decided = start_again_.find(container.id.str());
      if (decided != start_again_.end() && container.state == cri::ContainerState::kExited)
        container.start_again = decided->second;
    }
    pass_on_decided_starts(*pod_, runtime, start_errors_, env_.options.features);
  }
  // A finished pod keeps its address: without a ready sandbox the last known one stays.
  if (runtime.ips.empty() && ready_sandbox() == nullptr) runtime.ips = last_ips_;
  return runtime;
}

NodeAddresses PodWorker::node_addresses() const {
  return {.host_ips = env_.node->host_ips, .node_ips = env_.node->config.node_ips};
}

// Whether anything of the pod may still run: then a terminal phase is not shown yet.
bool PodWorker::containers_may_run() const {
  if (!known_ || !stopping_.empty()) return true;
  return std::ranges::any_of(observed_.containers(), [this](const auto& entry) {
    const ObservedContainer& container = entry.second;
    if (container.status.state == cri::ContainerState::kExited) return false;
    if (container.status.state != cri::ContainerState::kCreated) return true;
    const auto* sandbox = observed_.sandbox(container.sandbox);
    return sandbox != nullptr && sandbox->state == cri::SandboxState::kReady;
  });
}

// Computes the status from what is known now and shows it if it differs.
void PodWorker::refresh() {
  forget_ended_stops();
  RuntimePod runtime = runtime_view();
  hide_starting(runtime);
  const bool stored = final_ == FinalPhase::kStored;
  const bool published = (final_at_start_ || stored) && is_terminal_phase(status_.phase);
  if (published) runtime = as_ended(status_, std::move(runtime));
  const bool ends = state_ != WorkerState::kSyncing;
  runtime = without_unstarted(std::move(runtime), ends);
  last_ips_ = runtime.ips;
  if (!status_.startTime && !observed_.sandboxes().empty()) {
    // Found again after a restart: it began with its oldest sandbox.
    std::int64_t oldest = observed_.sandboxes().begin()->second.created_at;
    for (const auto& [id, sandbox] : observed_.sandboxes())
      oldest = std::min(oldest, sandbox.created_at);
    if (found_running_ && oldest != 0)
      status_.startTime = api::Time::from_unix_nanoseconds(oldest).whole_seconds();
  }
  const ProbeResults results = probe_results();
  const ActuatedResources actuated = actuated_as_specified(*pod_);
  const NodeAddresses addresses = node_addresses();
  const bool over = state_ == WorkerState::kEnded || state_ == WorkerState::kRemoving;
  const PodStatusInput input{
      .pod = *pod_,
      .previous = &status_,
      .runtime = runtime,
      .actuated = actuated,
      .start_errors = start_errors_,
      .probes = results,
      .addresses = addresses,
      .qos_class = std::string(node::to_string(node::compute_qos_class(*pod_))),
      .pod_is_terminal = over,
      .phase_decided = ends && is_terminal_phase(status_.phase) && shown_failure() == nullptr,
      .deadline_exceeded = past_deadline(end_),
      .runtime_name = env_.runtime_name,
      .recursive_read_only_supported = recursive_read_only_.value_or(false),
      .options = env_.options.features};
  api::PodStatus computed = compute_pod_status(input);
  if (over) computed = finalise_status(*pod_, std::move(computed), env_.options.features);
  computed = with_restarts_counted(status_, std::move(computed));
  if (published) computed = with_published_history(status_, std::move(computed));
  const WallTime now = env_.clock.wall_now();
  api::PodStatus stamped = stamp_status(*pod_, status_, std::move(computed), now);
  show_to_prober(runtime, stamped);
  if (auto illegal = illegal_transition(*pod_, status_, stamped, env_.options.features,
                                        running_again(*pod_, runtime))) {
    log(LogLevel::kWarn, "IllegalTransition", *illegal);
    if (!shown_once_) show(shown_);  // as an earlier berthd has shown it
    return;
  }
  const bool may_run = containers_may_run() || !stored;
  api::PodStatus shown = shown_status(*pod_, shown_, stamped, may_run, now);
  keep_disruption_time(shown, stamped);
  if (stamped.phase != status_.phase || shown.phase != shown_.phase)
    record_phase(input, may_run, {.phase = stamped.phase, .shown = shown.phase});
  status_ = std::move(stamped);
  show(std::move(shown));
}

// As it is published; taken again from its record it must come out the same.
void PodWorker::record_phase(const PodStatusInput& input, bool containers_may_run,
                             const PhaseDecision& published) {
  PhaseQuestion question = phase_question(input);
  question.finalised = input.pod_is_terminal;
  question.shown_before = shown_.phase;
  question.containers_may_run = containers_may_run;
  PhaseDecision decision = decide_phase(question);
  decision.phase = published.phase;
  decision.shown = published.shown;
  ledger_.decided(question, decision, env_.clock.wall_now());
}

void PodWorker::show(api::PodStatus next) {
  const ShownSpec spec{.pod = pod_, .end = ordered_end()};
  if (shown_once_ && shown_spec_ == spec && same_status(shown_, next)) return;
  if (shown_.phase != next.phase)
    log(LogLevel::kInfo, "PodPhase",
        fmt::format("{} -> {}", shown_.phase.empty() ? "(none)" : shown_.phase, next.phase));
  shown_ = std::move(next);
  shown_once_ = true;
  shown_spec_ = spec;
  auto pod = as_ordered();
  pod->status = shown_;
  env_.owner.publish(uid_, pod);
}

// Whoever ordered the end finds it shown, whatever the worker is at.
void PodWorker::show_order() {
  if (shown_once_) show(shown_);
}

// An order that waits in the mailbox is one already.
std::shared_ptr<api::Pod> PodWorker::as_ordered() const {
  const std::optional<EndInForce> end = ordered_end();
  if (!inbox_.end || !removes(end)) return std::make_shared<api::Pod>(*pod_);
  return being_deleted(*pod_, *end);
}

void PodWorker::happened(std::string action, std::string container, std::string what) {
  happened(std::move(container), Remark{.action = std::move(action), .text = std::move(what)});
}

void PodWorker::happened(std::string container, const Fact& fact) {
  ledger_.happened(*pod_, env_.clock.wall_now(), std::move(container), fact);
}

// Told when it is new, or for another reason than before; it is tried again and again.
void PodWorker::hindered(Obstacle obstacle) {
  obstacle.since = env_.clock.wall_now();
  const std::string container = obstacle.container;
  const std::string text = obstacle_text(obstacle);
  if (!obstacles_.met(std::move(obstacle))) return;
  happened("Hindered", container, text);
  log(LogLevel::kWarn, "Hindered", text, container);
}

std::vector<Obstacle> PodWorker::obstacles() const {
  std::vector<Obstacle> found = obstacles_.all();
  std::erase_if(found, [this](const Obstacle& one) {
    if (one.id.empty()) return false;
    const ObservedContainer* container = observed_.container(one.id);
    if (container == nullptr) return observed_.sandbox(one.id) == nullptr;
    return one.kind == ObstacleKind::kStop &&
           container->status.state == cri::ContainerState::kExited;
  });
  return found;
}

std::string PodWorker::container_name(const std::string& id) const {
  const ObservedContainer* container = observed_.container(id);
  return container == nullptr ? std::string() : container->status.metadata.name;
}

// A plan that says the same as the one before is not logged again.
void PodWorker::log_reasons(const Reasons& reasons, Reasons& last) {
  for (const Reason& reason : reasons) {
    if (std::ranges::find(last, reason) != last.end()) continue;
    log(LogLevel::kInfo, reason.rule, reason.text, reason.subject);
  }
  last = reasons;
}

void PodWorker::event(EventLevel level, std::string_view reason, std::string message,
                      const std::string& container) {
  PodEvent happening{.level = level, .reason = std::string(reason), .message = std::move(message)};
  if (!container.empty())
    happening.field_path = fmt::format(
        "spec.{}{{{}}}",
        find_init_container(*pod_, container) != nullptr ? "initContainers" : "containers",
        container);
  log(level == EventLevel::kWarning ? LogLevel::kWarn : LogLevel::kInfo, reason, happening.message,
      container);
  env_.events.record(*pod_, happening);
}

void PodWorker::warn_event(std::string_view reason, std::string message,
                           const std::string& container) {
  event(EventLevel::kWarning, reason, std::move(message), container);
}

void PodWorker::log(LogLevel level, std::string_view event, const std::string& message,
                    const std::string& container) {
  std::vector<LogField> fields;
  fields.push_back({.key = "NAMESPACE", .value = pod_->metadata.namespace_});
  fields.push_back({.key = "POD", .value = pod_->metadata.name});
  fields.push_back({.key = "POD_UID", .value = uid_});
  if (!container.empty()) fields.push_back({.key = "CONTAINER", .value = container});
  env_.log.write(level, event, message, fields);
}

PodActivity PodWorker::activity() const {
  return {.state = std::string(to_string(state_)),
          .under_way = children_.names(),
          .stopping = stopping_.names(),
          .wakes_at = wake_,
          .last = ledger_.last()};
}

}  // namespace berth::lifecycle
