// SPDX-License-Identifier: Apache-2.0

// PodWorker: carries out the plan for a pod that should run.

#include <algorithm>
#include <set>
#include <utility>

#include <fmt/core.h>

#include "base/rpc_error.hpp"
#include "lifecycle/ledger/why.hpp"
#include "lifecycle/pod_spec.hpp"
#include "lifecycle/pods/hold_decision.hpp"
#include "lifecycle/worker/pod_identity.hpp"
#include "lifecycle/worker/pod_worker.hpp"
#include "lifecycle/worker/starts/next_start.hpp"
#include "node/sandbox_config.hpp"

namespace berth::lifecycle {
namespace {

constexpr const char* kRefusalKey = "refusal";

}  // namespace

bool outcome_known(ErrorCode code) {
  return code == ErrorCode::kInvalid || code == ErrorCode::kPermission ||
         code == ErrorCode::kUnimplemented;
}

boost::asio::awaitable<bool> PodWorker::sync() {
  refresh();
  if (!stops_.singles().empty() && !course_.end() && !is_terminal_phase(status_.computed().phase)) {
    // As in the kubelet, the kills are waited for.
    co_await advance_kills();
    if (stops_hold_others()) co_return false;
  }
  if (stops_.sandboxes().stops_whole_pod() && !course_.end() &&
      !is_terminal_phase(status_.computed().phase)) {
    const bool stopped = co_await kill_pod();
    if (!stopped) co_return false;
    refresh();
  }
  if (!course_.end() && !is_terminal_phase(status_.computed().phase)) {
    co_await ask_for_recursive_read_only();
    if (ready_sandbox() != nullptr) co_await setup_.refresh_volumes();
    Decided decided = decide();
    Plan& next = decided.plan;
    if (next.deadline_exceeded) {
      exceed_deadline();
    } else {
      note_refusals(next, decided.record);
      teller_.log_plan(next.actions.reasons, decided.record);
      refresh();
      timetable_.look_again_at_wall(next.look_again_at);
      co_return co_await carry_out(std::move(next.actions));
    }
  }
  if (awaits_post_start()) co_return false;
  if (course_.to_be_removed())
    enter(WorkerState::kEnding, kEndOrdered);
  else
    enter(WorkerState::kEnding, fmt::format("the pod is {}", status_.computed().phase));
  co_return true;
}

void PodWorker::exceed_deadline() {
  const Ending order =
      as_given(active_deadline(env_.clock.wall_now()), {}, status_.computed().phase);
  course_.order(in_force(*pod_, {}, order));
  teller_.event(EventLevel::kNormal, kDeadlineExceeded, std::string(kDeadlineExceededMessage));
  refresh();
}

PodWorker::Decided PodWorker::decide() {
  const WallTime now = env_.clock.wall_now();
  // As in the kubelet's housekeeping.
  starts_.forget_old_failures(env_.options.restarts, now);
  const RuntimePod runtime = without_unstartable(runtime_view());
  const ProbeResults results = probes_.results();
  const ActuatedResources actuated = actuated_as_specified(*pod_);
  const PlanInput input{.pod = *pod_,
                        .runtime = runtime,
                        .probes = results,
                        .actuated = actuated,
                        .restarts = starts_.restarts(),
                        .pulls = starts_.pull_backoff(),
                        .present_images = starts_.present_images(),
                        .start_time = status_.computed().startTime,
                        .now = now,
                        .restart_policy = env_.options.restarts,
                        .options = env_.options.features};
  Plan decided = plan(input);
  std::string record = teller_.ledger().decided(input, decided, now);
  starts_.keep_decided(*pod_, runtime, decided);
  return {.plan = std::move(decided), .record = std::move(record)};
}

// Turns each refused start into the container's waiting reason, and into an event once per window.
void PodWorker::note_refusals(const Plan& plan, const std::string& decision) {
  for (const StartRefusal& refusal : plan.refusals) {
    if (!starts_.refused(refusal)) continue;
    const bool restart = refusal.reason == kCrashLoopBackOff;
    const About about{.container = refusal.container,
                      .decision = decision,
                      .reason = std::string(refusal.reason)};
    teller_.event(restart ? EventLevel::kWarning : EventLevel::kNormal, "BackOff",
                  refusal.event_message, about);
    if (!restart) teller_.warn_event("Failed", fmt::format("Error: {}", refusal.reason), about);
  }
}

boost::asio::awaitable<bool> PodWorker::carry_out(PodActions actions) {
  // As in the kubelet, stops under way are waited for; their reports ring the bell.
  if (stops_hold_others()) co_return false;
  if (actions.create_sandbox) report_sandbox_change(actions.attempt);
  if (actions.kill_pod) {
    const std::uint64_t before = observed_.revision();
    const bool stopped = co_await kill_pod();
    if (!stopped) co_return false;
    // What can be started in a sandbox that has been stopped is decided by the next plan.
    if (observed_.revision() != before) co_return true;
  } else if (!actions.containers_to_kill.empty()) {
    co_await kill_containers(std::move(actions.containers_to_kill));
    co_return false;
  }
  const bool no_strays = co_await remove_strays();
  if (actions.create_sandbox) {
    if (!no_strays || sandbox_refused()) co_return false;
    const bool ready = co_await prepare_and_remember();
    if (!ready) co_return false;
    const bool removed = co_await remove_init_containers();
    if (!removed) co_return false;
    co_return co_await create_sandbox(actions.attempt);
  }
  co_await trim();
  if (actions.kill_pod) co_return false;
  co_await kill_containers(unknown_predecessors(runtime_view()));
  if (stops_hold_others()) co_return false;
  co_return co_await start_containers(std::move(actions));
}

// Reports the change once per new sandbox, before anything is stopped for it.
void PodWorker::report_sandbox_change(std::uint32_t attempt) {
  if (observed_.sandboxes().empty() || !stops_.sandboxes().report_change(attempt)) return;
  teller_.event(EventLevel::kNormal, "SandboxChanged",
                "Pod sandbox changed, it will be killed and re-created.");
}

// As in the kubelet, the stop goes on until nothing runs once it has begun: sidecars that have been
// stopped are not started again while the others wait for their turn.
boost::asio::awaitable<bool> PodWorker::kill_pod() {
  stops_.sandboxes().begin_whole_pod();
  const bool stopped = co_await stop_everything();
  if (stopped) stops_.sandboxes().end_whole_pod();
  co_return stopped;
}

// Starts containers one after another, as the kubelet does. After each start the plan is computed
// anew, so that an order to end is noticed and the next step follows at once.
boost::asio::awaitable<bool> PodWorker::start_containers(PodActions actions) {
  const std::vector<NextStart> order = start_order(*pod_, actions, starts_.errors());
  // Nothing starts while a postStart hook runs.
  if (order.empty() || starts_.any_post_start()) co_return false;
  const bool known = co_await known_to_store();
  if (!known) co_return false;
  const bool ready = co_await setup_.prepare();
  if (!ready) co_return false;
  for (const NextStart& next : order) {
    if (!timetable_.due("container/" + next.container)) {
      if (next.others_wait) co_return false;
      continue;
    }
    const StartOutcome outcome = co_await start(next.container);
    refresh();
    // Something was done, or new orders have arrived: plan anew.
    if (outcome == StartOutcome::kStarted || !observed_.known() || !mailbox_.orders().empty())
      co_return true;
    // In order: later containers wait for an earlier pull, but not for a failure.
    if (outcome == StartOutcome::kWaiting) co_return false;
    if (next.others_wait) break;
  }
  // After a failed start, there may be nothing left to start again.
  co_return is_terminal_phase(status_.computed().phase);
}

// Directories, cgroup and volumes come first, as in the kubelet: if they fail, there is no sandbox.
// A pod of which nothing exists yet cannot be mistaken for another one, unless another pod had its
// uid before. Therefore it can be committed while the sandbox is created: no container is created
// before the store has the pod.
boost::asio::awaitable<bool> PodWorker::prepare_and_remember() {
  const bool first = observed_.next_sandbox() == 0 && observed_.sandboxes().empty() &&
                     observed_.containers().empty();
  const bool unique = !pod_->metadata.annotations.contains(node::kAnnotationManifest);
  setup_.begin();
  if (first && unique) {
    begin_to_remember();
  } else {
    // The remains of an earlier sandbox are removed before the next one is created. And for a uid
    // that the manifest states, the store may still have an earlier pod.
    const bool known = co_await remembered(Numbers::kTheStores);
    if (!known) co_return false;
  }
  co_return co_await setup_.prepare();  // tries again if it failed
}

// Whether no sandbox is requested because the runtime could not maintain the pod's cgroup: its
// error about the cgroup path would tell nobody what to do.
bool PodWorker::sandbox_refused() {
  if (env_.no_sandboxes.empty()) return false;
  if (!timetable_.due(kRefusalKey)) return true;
  timetable_.failed(kRefusalKey);
  place_.give_back();
  const HoldQuestion question{.pod = *pod_, .no_sandboxes = env_.no_sandboxes};
  const HoldDecision decision = decide_hold(question);
  teller_.decided(question, decision);
  teller_.warn_event("FailedCreatePodSandBox",
                     fmt::format("Failed to create pod sandbox: {}", decision.message));
  return true;
}

boost::asio::awaitable<bool> PodWorker::create_sandbox(std::uint32_t attempt) {
  const std::string key = "sandbox";
  if (!timetable_.due(key)) co_return false;
  attempt = std::max(attempt, observed_.next_sandbox());
  const node::SandboxRequest request{.attempt = attempt, .incarnation = incarnation_of(*pod_)};
  auto config = node::sandbox_config(*env_.node, *pod_, request);
  if (!config) {
    timetable_.failed(key);
    teller_.warn_event("FailedCreatePodSandBox",
                       fmt::format("Failed to create pod sandbox: {}", config.error().message));
    co_return false;
  }
  begin_look_ahead();
  co_await place_.until_turn();
  if (ending()) co_return true;
  place_.give_back();
  Context context;
  const auto call = co_await env_.start_calls.begin();
  auto id = co_await env_.runtime.run_pod_sandbox(context, std::move(*config),
                                                  pod_->spec.runtimeClassName.value_or(""));
  if (!id) {
    timetable_.failed(key);
    // The runtime may still create it: look for it before trying the same attempt again.
    if (!outcome_known(id.error().code)) {
      observed_.doubt();
      observed_.keep_sandbox_attempt(attempt);
    }
    teller_.warn_event("FailedCreatePodSandBox", fmt::format("Failed to create pod sandbox: {}",
                                                             without_call(id.error().message)));
    teller_.happened({}, StartFailed{.error = id.error().message});
    co_return false;
  }
  timetable_.succeeded(key);
  co_return co_await sandbox_created(std::move(*id));
}

boost::asio::awaitable<bool> PodWorker::sandbox_created(cri::SandboxId id) {
  Context context;
  auto status = co_await env_.runtime.pod_sandbox_status(context, id);
  if (!status) {
    observed_.doubt();
    timetable_.failed("observe");
    const std::string_view error = without_call(status.error().message);
    teller_.warn_event("FailedPodSandBoxStatus",
                       fmt::format("Unable to get pod sandbox status: {}", error));
    co_return false;
  }
  observed_.put_sandbox(std::move(*status));
  remember_attempts();
  env_.owner.claim(pod_->metadata.uid, id.str());
  observed_.keep_ips(runtime_view().ips);
  // What kept containers from being created may be gone with the previous sandbox.
  timetable_.retry("container/");
  begin_files_ahead({});
  co_return true;
}

}  // namespace berth::lifecycle
