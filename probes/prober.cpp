// SPDX-License-Identifier: Apache-2.0

#include "probes/prober.hpp"

#include <algorithm>
#include <chrono>
#include <deque>
#include <map>
#include <utility>

#include "base/assertion.hpp"
#include "base/notification.hpp"
#include "probes/probed_pod.hpp"
#include "probes/run_words.hpp"
#include "probes/schedule.hpp"

namespace berth::probes {
namespace {

namespace asio = boost::asio;

// Probes due within so short a time share one wake-up.
constexpr Nanoseconds kGrain = std::chrono::milliseconds{1};
// While something is running the loop checks the clock at least this often, to notice its own
// delays; a delay below kUnnoticed does not count.
constexpr Nanoseconds kPulse = std::chrono::milliseconds{100};
constexpr Nanoseconds kUnnoticed = std::chrono::milliseconds{10};
// A readiness probe runs out of turn at most this often.
constexpr Nanoseconds kTriggerGap = std::chrono::seconds{1};

// Running and waiting execs and connections.
struct Turns {
  std::size_t limit = 0;
  std::size_t taken = 0;
  std::deque<std::pair<std::shared_ptr<Probe>, SteadyTime>> waiting{};  // since when due
};

// One run, while it is under way.
struct Run {
  SteadyTime due{};
  SteadyTime began{};
  Weight weight = Weight::kFull;
};

std::string why(const Probe& probe) {
  const bool passed = probe.state.last == ProbeResult::kSuccess;
  return verdict_words(last_runs(probe),
                       passed ? probe.rules.success_threshold : probe.rules.failure_threshold);
}

}  // namespace

struct Prober::Impl {
  Impl(asio::any_io_executor the_loop, Clock& the_clock, Handlers& the_handlers,
       ProbeSink& the_sink, ProberOptions the_options, TaskGroup::FailureHandler on_failure)
      : clock(the_clock),
        handlers(the_handlers),
        sink(the_sink),
        options(std::move(the_options)),
        begun_at(the_clock.steady_now()),
        execs{.limit = options.exec_limit},
        connections{.limit = options.network_limit},
        bell(the_loop),
        tasks(the_loop, std::move(on_failure)) {}

  ProbedPodContainer& container_of(const Probe& probe) {
    return probe.pod->containers.at(probe.container);
  }
  Turns& turns_of(const Probe& probe) { return probe.is_exec() ? execs : connections; }

  asio::awaitable<void> run_due();
  void start_due();
  void begin(const std::shared_ptr<Probe>& probe);
  void request_turn(std::shared_ptr<Probe> probe, SteadyTime due);
  void end_turn(Turns& turns);
  asio::awaitable<void> ask(std::shared_ptr<Probe> probe, Run run);
  void finish(Probe& probe, Attempt given, const Run& run);

  Visit visited(Probe& probe, SteadyTime now);
  void revisit(Probe& probe, bool by_observation);
  void revisit_after_startup(ProbedPodContainer& container);
  void note_start(ProbedPodContainer& container, const cri::ContainerId& before);
  void look_again(ProbedPodContainer& container);
  void trigger_readiness(ProbedPod& pod);
  void publish(const Probe& probe, const ProbeUpdate& update, const JudgedAnswer* judged = nullptr);
  void schedule(Probe& probe, SteadyTime due);
  void unschedule(Probe& probe);
  void end(Probe& probe, std::string_view reason, Asking asking = Asking::kOver);

  Clock& clock;
  Handlers& handlers;
  ProbeSink& sink;
  ProberOptions options;
  SteadyTime begun_at;
  std::map<std::string, std::unique_ptr<ProbedPod>> pods{};
  std::map<std::pair<SteadyTime, std::uint64_t>, std::shared_ptr<Probe>> queue{};
  std::uint64_t last_id = 0;
  Turns execs;
  Turns connections;
  ProberCounts figures{};
  Notification bell;
  TaskGroup tasks;
};

// --- the queue -----------------------------------------------------------------------------------

asio::awaitable<void> Prober::Impl::run_due() {
  for (;;) {
    start_due();
    const SteadyTime now = clock.steady_now();
    std::optional<SteadyTime> wake;
    if (!queue.empty()) wake = std::max(queue.begin()->first.first, now + kGrain);
    if (execs.taken + connections.taken > 0) {
      wake = std::min(wake.value_or(SteadyTime::max()), now + kPulse);
    }
    auto waiting = bell.wait_until(clock, wake);
    const bool rung = co_await std::move(waiting);
    if (rung) continue;
    const Nanoseconds late = clock.steady_now() - *wake;
    if (late > kUnnoticed) figures.held_up += late;
  }
}

void Prober::Impl::start_due() {
  const SteadyTime now = clock.steady_now();
  while (!queue.empty() && queue.begin()->first.first <= now) {
    const auto probe = queue.begin()->second;
    begin(probe);
  }
}

void Prober::Impl::schedule(Probe& probe, SteadyTime due) {
  unschedule(probe);
  const auto shared = container_of(probe).probes.at(static_cast<std::size_t>(probe.rules.type));
  const bool first = queue.empty() || due < queue.begin()->first.first;
  queue.emplace(std::pair(due, probe.id), shared);
  probe.due = due;
  probe.waits_for = {};
  if (first) bell.notify();
}

void Prober::Impl::unschedule(Probe& probe) {
  if (!probe.due) return;
  queue.erase(std::pair(*probe.due, probe.id));
  probe.due.reset();
}

void Prober::Impl::end(Probe& probe, std::string_view reason, Asking asking) {
  unschedule(probe);
  probe.asking = asking;
  probe.waits_for = reason;
}

// --- one run -------------------------------------------------------------------------------------

void Prober::Impl::begin(const std::shared_ptr<Probe>& probe) {
  assert_that(probe->due.has_value(), "a probe that begins is due", probe->name->uid);
  const SteadyTime due = *probe->due;
  unschedule(*probe);
  const SteadyTime now = clock.steady_now();
  const Visit seen = visited(*probe, now);
  for (const auto& update : seen.updates) publish(*probe, update);
  switch (seen.next) {
    case Next::kEnd:
      return end(*probe, seen.why, after_end(*probe));
    case Next::kWait:
      probe->waits_for = seen.why;
      return;
    case Next::kDelay:
      return schedule(*probe, now + seen.delay_left);
    case Next::kProbe:
      return request_turn(probe, due);
  }
}

void Prober::Impl::request_turn(std::shared_ptr<Probe> probe, SteadyTime due) {
  assert_that(!probe->under_way, "a probe runs once at a time", probe->name->uid);
  probe->under_way = true;
  Turns& turns = turns_of(*probe);
  if (turns.taken >= turns.limit) {
    turns.waiting.emplace_back(std::move(probe), due);
    return;
  }
  ++turns.taken;
  // Computed for the container that it probes: another one may be there when the answer comes.
  const Weight weight =
      weight_of(clock.steady_now(), failures_count_from(*probe, container_of(*probe)));
  tasks.spawn("probe", ask(std::move(probe), {.due = due, .weight = weight}));
}

void Prober::Impl::end_turn(Turns& turns) {
  assert_that(turns.taken > 0, "a turn that ends was taken");
  --turns.taken;
  while (!turns.waiting.empty() && turns.taken < turns.limit) {
    auto [probe, due] = std::move(turns.waiting.front());
    turns.waiting.pop_front();
    probe->under_way = false;
    if (probe->pod == nullptr || probe->asking != Asking::kGoesOn) continue;
    // The container may be gone after the wait.
    probe->due = due;
    begin(probe);
  }
}

asio::awaitable<void> Prober::Impl::ask(std::shared_ptr<Probe> probe, Run run) {
  run.began = clock.steady_now();
  Turns& turns = turns_of(*probe);
  Attempt attempt;
  for (int tries = 1; probe->pod != nullptr; ++tries) {
    const SteadyTime try_began = clock.steady_now();
    const Nanoseconds held_up_before = figures.held_up;
    const auto target =
        probe_target(probe->spec, {probe->state.container, container_of(*probe).ports,
                                   probe->pod->seen->pod_ip, probe->command});
    if (target) {
      auto running = handlers.run(*target, probe->limit);
      attempt = co_await std::move(running);
    } else {
      attempt = errored_attempt(target.error());
    }
    if (!probe->is_exec()) {  // the runtime enforces an exec's limit, even if we end
      const Nanoseconds overrun = clock.steady_now() - try_began - probe->limit;
      attempt = without_own_delay(std::move(attempt),
                                  std::max(overrun, figures.held_up - held_up_before));
    }
    if (!tries_again(attempt, tries)) break;
  }
  probe->under_way = false;
  const bool counts = probe->pod != nullptr && probe->asking == Asking::kGoesOn;
  if (counts) finish(*probe, std::move(attempt), run);
  end_turn(turns);
}

void Prober::Impl::finish(Probe& probe, Attempt given, const Run& run) {
  const SteadyTime now = clock.steady_now();
  const Nanoseconds late = run.began - run.due;
  const auto bound = std::lower_bound(kLateBounds.begin(), kLateBounds.end(),
                                      std::chrono::ceil<std::chrono::milliseconds>(late).count());
  ++figures.late.at(static_cast<std::size_t>(bound - kLateBounds.begin()));
  ++figures.runs;
  probe.last_begun = run.began;
  // The probed container may be gone meanwhile; the answer counts all the same.
  JudgedAnswer answer = judged(probe.rules, std::move(probe.state), std::move(given), run.weight);
  const Attempt& attempt = answer.attempt;
  Judgement& judgement = answer.judgement;
  probe.state = judgement.state;
  count_run(probe.past.counters, attempt, judgement.standing);
  const bool passed = judgement.standing == Standing::kCounted && attempt.cause == Cause::kNone;
  note_run(probe, {.at = clock.wall_now() - (now - run.began),
                   .took = attempt.took,
                   .late = late,
                   .outcome = attempt.outcome,
                   .standing = judgement.standing,
                   .words = passed ? std::string() : explain(attempt)});
  auto& container = container_of(probe);
  if (judgement.notice)
    sink.event({.pod = *probe.name,
                .container = container.name,
                .type = probe.rules.type,
                .outcome = attempt.outcome,
                .notice = std::move(*judgement.notice)});
  if (judgement.update) publish(probe, *judgement.update, &answer);
  const SteadyTime next = next_run(run.due, now, probe.period);
  schedule(probe, next > now ? in_step(next, probe.period, figures.probes) : next);
  revisit(probe, false);
  const bool startup_passed = probe.rules.type == ProbeType::kStartup && judgement.update &&
                              judgement.update->result == ProbeResult::kSuccess;
  if (startup_passed) {
    container.startup_passed_at = now;
    revisit_after_startup(container);
  }
}

void Prober::Impl::publish(const Probe& probe, const ProbeUpdate& update,
                           const JudgedAnswer* judged) {
  sink.result_changed({.pod = *probe.name,
                       .container = probe.pod->containers.at(probe.container).name,
                       .type = probe.rules.type,
                       .update = update,
                       .judged = judged,
                       .why = judged == nullptr ? std::string() : why(probe)});
}

// --- observations --------------------------------------------------------------------------------

Visit Prober::Impl::visited(Probe& probe, SteadyTime now) {
  const Sight sight = sight_of(*probe.pod, container_of(probe), now);
  Visit seen =
      visit(probe.rules,
            without_predecessors_run(probe.rules, std::move(probe.state), sight.container), sight);
  probe.state = seen.state;
  return seen;
}

// Decides whether the probe runs now, later, or not at all.
void Prober::Impl::revisit(Probe& probe, bool by_observation) {
  if (begins_anew(probe)) probe.asking = Asking::kGoesOn;
  if (probe.asking != Asking::kGoesOn || probe.under_way) return;
  const SteadyTime now = clock.steady_now();
  auto& container = container_of(probe);
  const cri::ContainerId before = probe.state.container;
  const bool first_sight = by_observation && !probe.due && probe.past.made == 0;
  const Visit seen = visited(probe, now);
  const bool another = before != probe.state.container;
  for (const auto& update : seen.updates) publish(probe, update);
  if (seen.next == Next::kEnd) return end(probe, seen.why, after_end(probe));
  if (seen.next == Next::kWait) {
    unschedule(probe);
    probe.waits_for = seen.why;
    return;
  }
  if (probe.due && !another) return;
  const bool found_at_start =
      first_sight && container.started_at < begun_at && now - begun_at < probe.period;
  schedule(probe, first_run({.type = probe.rules.type,
                             .now = now,
                             .delay_left = seen.delay_left,
                             .found_at_start = found_at_start,
                             .phase = phase_in_period(probe.name->uid, container.name,
                                                      probe.rules.type, probe.period),
                             .failures_count_from = failures_count_from(probe, container)}));
}

void Prober::Impl::revisit_after_startup(ProbedPodContainer& container) {
  for (const auto& probe : container.probes) {
    if (probe && probe->rules.type != ProbeType::kStartup) revisit(*probe, false);
  }
}

void Prober::Impl::note_start(ProbedPodContainer& container, const cri::ContainerId& before) {
  const SeenContainer* seen = container.seen;
  if (seen == nullptr || !seen->running || seen->id == before) return;
  // Kept as steady time, so that a jump of the wall clock moves no initial delay.
  const WallTime wall = clock.wall_now();
  const Nanoseconds running_for = wall - seen->started_at.value_or(wall);
  container.started_at = clock.steady_now() - std::max(running_for, Nanoseconds::zero());
  container.startup_passed_at.reset();
}

void Prober::Impl::look_again(ProbedPodContainer& container) {
  for (const auto& probe : container.probes) {
    if (probe) revisit(*probe, true);
  }
}

// If readiness is all that is missing, it runs out of turn when the runtime shows something new;
// never because of a probe's answer.
void Prober::Impl::trigger_readiness(ProbedPod& pod) {
  const SteadyTime now = clock.steady_now();
  for (auto& container : pod.containers) {
    Probe* probe = container.probe(ProbeType::kReadiness);
    if (probe == nullptr || probe->asking != Asking::kGoesOn || !probe->due) continue;
    const Sight sight = sight_of(pod, container, now);
    if (!wants_readiness_now(sight.started, sight.running, probe->state.held)) continue;
    if (probe->last_begun && now - *probe->last_begun < kTriggerGap) continue;
    if (probe->past.made > 0 && *probe->due > now) schedule(*probe, now);
  }
}

// --- public interface ----------------------------------------------------------------------------

Prober::Prober(asio::any_io_executor loop, Clock& clock, Handlers& handlers, ProbeSink& sink,
               ProberOptions options, TaskGroup::FailureHandler on_failure)
    : impl_(std::make_unique<Impl>(std::move(loop), clock, handlers, sink, std::move(options),
                                   std::move(on_failure))) {
  impl_->tasks.spawn("probes", impl_->run_due());
}

Prober::~Prober() = default;

void Prober::add_pod(const api::Pod& pod, const std::vector<KeptResult>& kept) {
  auto& entry = impl_->pods[pod.metadata.uid];
  if (entry) return;
  entry = probed_pod(pod, kept);
  for (auto& container : entry->containers) {
    for (const auto& probe : container.probes) {
      if (!probe) continue;
      probe->id = ++impl_->last_id;
      ++impl_->figures.probes;
      if (probe->spec.exec) {
        probe->command = impl_->options.expand_command(probe->spec.exec->command,
                                                       literal_environment(pod, container.name));
      }
    }
  }
}

void Prober::see_pod(const std::string& uid, const SeenPod& seen) {
  const auto found = impl_->pods.find(uid);
  if (found == impl_->pods.end() || found->second->seen == seen) return;
  ProbedPod& pod = *found->second;
  const bool first = !pod.seen;
  std::vector<cri::ContainerId> before;  // ids of running containers
  for (const auto& container : pod.containers) {
    const bool ran = container.seen != nullptr && container.seen->running;
    before.push_back(ran ? container.seen->id : cri::ContainerId{});
  }
  set_observed(pod, seen);
  for (std::size_t i = 0; i < before.size(); ++i) {
    impl_->note_start(pod.containers[i], before[i]);
  }
  for (auto& container : pod.containers) impl_->look_again(container);
  if (!first) impl_->trigger_readiness(pod);
}

void Prober::stop_liveness_and_startup(const std::string& uid) {
  const auto found = impl_->pods.find(uid);
  if (found == impl_->pods.end()) return;
  for (auto& container : found->second->containers) {
    if (container.init_container) continue;
    for (const ProbeType type : {ProbeType::kStartup, ProbeType::kLiveness}) {
      if (Probe* probe = container.probe(type)) impl_->end(*probe, "the pod is being stopped");
    }
  }
}

void Prober::remove_pod(const std::string& uid) {
  const auto found = impl_->pods.find(uid);
  if (found == impl_->pods.end()) return;
  for (auto& container : found->second->containers) {
    for (const auto& probe : container.probes) {
      if (!probe) continue;
      impl_->end(*probe, "the pod is gone");
      probe->pod = nullptr;  // a current run ends without effect
      --impl_->figures.probes;
    }
  }
  impl_->pods.erase(found);
}

std::vector<KeptResult> Prober::held(const std::string& uid) const {
  std::vector<KeptResult> out;
  const auto found = impl_->pods.find(uid);
  if (found == impl_->pods.end()) return out;
  for (const auto& container : found->second->containers) {
    for (const auto& probe : container.probes) {
      if (!probe || !probe->state.held) continue;
      out.push_back({.container = container.name,
                     .type = probe->rules.type,
                     .id = probe->state.container,
                     .result = *probe->state.held});
    }
  }
  return out;
}

std::vector<ProbeView> Prober::views() const {
  std::vector<ProbeView> out;
  for (const auto& [uid, pod] : impl_->pods) {
    for (auto& view : views(uid)) out.push_back(std::move(view));
  }
  return out;
}

std::vector<ProbeView> Prober::views(const std::string& uid) const {
  std::vector<ProbeView> out;
  const auto found = impl_->pods.find(uid);
  if (found == impl_->pods.end()) return out;
  const SteadyTime now = impl_->clock.steady_now();
  const WallTime wall = impl_->clock.wall_now();
  for (const auto& container : found->second->containers) {
    for (const auto& probe : container.probes) {
      if (probe) out.push_back(view_of(*found->second, *probe, now, wall));
    }
  }
  return out;
}

ProberCounts Prober::counts() const {
  ProberCounts out = impl_->figures;
  out.under_way = impl_->execs.taken + impl_->connections.taken;
  out.exec_waiting = impl_->execs.waiting.size();
  return out;
}

void Prober::request_stop() {
  impl_->tasks.request_stop();
}

asio::awaitable<void> Prober::join() {
  return impl_->tasks.join();
}

}  // namespace berth::probes
