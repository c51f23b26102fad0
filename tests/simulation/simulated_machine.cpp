// SPDX-License-Identifier: Apache-2.0

#include "tests/simulation/simulated_machine.hpp"

#include <algorithm>
#include <exception>
#include <utility>

#include <fmt/core.h>

#include "tests/simulation/generator.hpp"
#include "tests/simulation/invariants/pod_facts.hpp"
#include "tests/simulation/kubelets_pod.hpp"

namespace berth::simulation {

using std::chrono::seconds;

namespace {

// The task that ends berthd.
constexpr const char* kStop = "stop";
// With more turns of the loop than this while time stands still, something spins.
constexpr int kTurnsAtMost = 200'000;
// Calls to the runtime in one run: far more than any honest run needs.
constexpr std::uint64_t kCallsAtMost = 100'000;

// As in the API server: without a grace period, or when nothing of the pod runs any more.
bool goes_at_once(const api::Pod& pod, std::optional<seconds> grace) {
  if (grace == seconds(0)) return true;
  if (pod.metadata.deletionTimestamp) return false;
  return is_terminal(pod.status.phase) || (!grace && own_grace(pod) == seconds(0));
}

}  // namespace

WallTime start_of_time() {
  return WallTime{seconds(1'800'000'000)};
}

SimulatedMachine::SimulatedMachine(MachineSetup setup, Trace::Sink sink)
    : trace_(std::move(sink)),
      clock_(loop_, start_of_time()),
      checks_(clock_),
      runtime_(loop_.get_executor(), clock_, wired(std::move(setup.runtime))),
      host_(clock_, wired(std::move(setup.host))),
      store_(loop_.get_executor(), clock_, wired(std::move(setup.store))),
      node_{.kept = setup.kept, .most_pods = setup.most_pods, .tainted = setup.tainted},
      tasks_(loop_.get_executor(), failure_handler()) {
  checks_.everything().add_witness(log_files_);
  checks_.look_at(runtime_, host_, store_);
  checks_.set_node(node_.kept, node_.most_pods, node_.tainted);
  if (setup.keeps_house) {
    checks_.everything().add(extras_.logs.emplace(invariants()));
    trace_.leave_out(extras_.logs->folder());
    checks_.ledger().leave_out(extras_.logs->folder());
  }
  if (setup.shutdown) {
    checks_.shutdown().set_groups(setup.shutdown->groups);
    extras_.login.emplace(*setup.shutdown, loop_.get_executor());
  }
  if (!setup.resources) return;
  extras_.resources.emplace(clock_, runtime_, std::move(*setup.resources));
  checks_.pressure().set_settings(extras_.resources->settings(), extras_.resources->layout());
}

RuntimeSetup SimulatedMachine::wired(RuntimeSetup setup) {
  setup.trace = &trace_;
  setup.witness = &checks_.everything();
  disturbances().set_quiet(is_quiet(setup.faults));
  return setup;
}

HostSetup SimulatedMachine::wired(HostSetup setup) {
  setup.trace = &trace_;
  setup.kill_all = [this](const std::string& uid) { runtime_.empty_cgroup(uid); };
  disturbances().set_quiet(setup.fails == 0);
  return setup;
}

StoreSetup SimulatedMachine::wired(StoreSetup setup) {
  setup.trace = &trace_;
  setup.complain = [this](std::string what) { invariants().violated(std::move(what)); };
  return setup;
}

TaskGroup::FailureHandler SimulatedMachine::failure_handler() {
  return [this](std::string_view task, std::exception_ptr failure) {
    try {
      std::rethrow_exception(failure);
    } catch (const std::exception& error) {
      invariants().violated(fmt::format("task {} ended with: {}", task, error.what()));
    }
  };
}

void SimulatedMachine::drain() {
  if (loop_.stopped()) loop_.restart();
  while (!over() && loop_.poll_one() > 0) {
    if (++turns_ > kTurnsAtMost) invariants().violated("the loop spins without time passing");
    handled();
  }
}

void SimulatedMachine::look_at_listing() {
  if (!agent_ || agent_->pods().version() == reported_.listing) return;
  reported_.listing = agent_->pods().version();
  invariants().listing().is(agent_->pods().snapshot(), agent_->pods().ready());
}

// Called between two instants.
void SimulatedMachine::look_at_agent() {
  look_at_listing();
  checks_.everything().time_passes();
  if (agent_) checks_.check_missed_events(agent_->pods().missed_events());
}

void SimulatedMachine::pass_until(SteadyTime time) {
  drain();
  look_at_agent();
  while (!over()) {
    const auto next = clock_.next_deadline();
    if (!next || *next > time) break;
    if (*next > clock_.steady_now()) turns_ = 0;
    clock_.step();
    drain();
    look_at_agent();
  }
  if (!over()) clock_.advance_to(time);
}

bool SimulatedMachine::pass_until_done(const bool& done, Nanoseconds bound) {
  const auto limit = clock_.steady_now() + bound;
  drain();
  while (!over() && !done && clock_.steady_now() < limit) {
    turns_ = 0;
    if (!clock_.step()) break;
    drain();
  }
  return done;
}

void SimulatedMachine::start_agent() {
  checks_.agent_restarted();
  reported_ = {};
  say("berthd starts, in zone " + node_.zone);
  agent_ = std::make_unique<AgentUnderTest>(
      AgentSetup{.loop = loop_.get_executor(),
                 .clock = &clock_,
                 .runtime = &runtime_,
                 .host = &host_,
                 .store = &store_,
                 .trace = &trace_,
                 .sink = &invariants(),
                 .listener = this,
                 .probes = &checks_.probes(),
                 .events = &checks_.admission(),
                 .ledger = &checks_.ledger(),
                 .files = &folder_.files,
                 .copies = &folder_.copies,
                 .zone = node_.zone,
                 .most_pods = node_.most_pods,
                 .tainted = node_.tainted,
                 .terminated_pods_kept = node_.kept,
                 .logs_folder = extras_.logs ? extras_.logs->folder() : "",
                 .resources = extras_.resources ? &*extras_.resources : nullptr,
                 .pressure = &checks_.pressure(),
                 .login = extras_.login ? &extras_.login->manager : nullptr,
                 .shutdown = &checks_.shutdown(),
                 .on_failure = failure_handler()});
}

boost::asio::awaitable<void> SimulatedMachine::take_down(std::shared_ptr<bool> done) {
  co_await agent_->stop();
  *done = true;
}

boost::asio::awaitable<void> SimulatedMachine::end_well(std::shared_ptr<bool> done) {
  co_await agent_->finish_starts();
  auto taken_down = take_down(std::move(done));
  co_await std::move(taken_down);
}

bool SimulatedMachine::is_stopping() const {
  return std::ranges::count(tasks_.names(), kStop) > 0;
}

boost::asio::awaitable<void> SimulatedMachine::stop_world(bool* done) {
  co_await runtime_.shutdown();
  co_await store_.shutdown();
  *done = true;
}

boost::asio::awaitable<void> SimulatedMachine::carry_out_shutdown(std::shared_ptr<bool> done) {
  co_await agent_->carry_out_shutdown();
  *done = true;
}

void SimulatedMachine::stop_last_pods() {
  say("berthd is told to stop, and asks why");
  const auto done = std::make_shared<bool>(false);
  tasks_.spawn("the shutdown", carry_out_shutdown(done));
  const seconds longest = lifecycle::longest_shutdown(extras_.login->setup.groups);
  if (!pass_until_done(*done, longest + seconds(1)) && !over())
    invariants().violated("the pods are not stopped within the periods of their groups");
}

void SimulatedMachine::stop_agent() {
  say("berthd stops");
  checks_.everything().agent_ends();
  const auto done = std::make_shared<bool>(false);
  tasks_.spawn(kStop, end_well(done));
  // Ten seconds for a start that the runtime does not answer.
  if (!pass_until_done(*done, seconds(15)))
    return invariants().violated("berthd does not stop within 15 s");
  drain();
  agent_.reset();
  if (extras_.login) extras_.login->manager.berthd_is_gone();
  store_.flush();
}

void SimulatedMachine::kill_agent(bool written) {
  say(fmt::format("berthd is killed; what it was writing is {}", written ? "kept" : "lost"));
  agent_->kill();
  checks_.everything().agent_ends();
  store_.crash(written);
  if (extras_.login) extras_.login->manager.berthd_is_gone();
  const auto done = std::make_shared<bool>(false);
  tasks_.spawn(kStop, take_down(done));
  // Runs to its end, whatever has been found by then.
  if (loop_.stopped()) loop_.restart();
  while (!*done && loop_.poll_one() > 0) {
  }
  if (*done)
    agent_.reset();
  else
    invariants().violated("a killed berthd waits for something");
}

void SimulatedMachine::go_off() {
  say("the machine is rebooted");
  store_.lose_power();
  disturbances().trouble();
  runtime_.lose_everything_that_runs();
  host_.reboot();
  folder_.copies.in_memory.clear();
}

void SimulatedMachine::lose_state(bool damaged, bool as_read) {
  // Without the store, berthd cannot tell copies from the pods' own sandboxes.
  runtime_.remove_copies();
  store_.lose(damaged);
  disturbances().trouble();
  checks_.state_lost();
  if (!as_read) invariants().folder_changed();
}

void SimulatedMachine::kubelet_leaves(const api::Pod& manifest) {
  const std::string uid = fmt::format("{:032x}", ++numbers_.taken_over);
  say(fmt::format("a kubelet leaves {}, under uid {}", manifest.metadata.name, uid));
  const auto left = kubelets_pod(manifest, uid);
  runtime_.runs_already(left.sandbox, left.containers);
  invariants().left_by_kubelet(uid);
  checks_.admission().left_by_kubelet(uid);
}

void SimulatedMachine::folder_changed() {
  invariants().folder_changed();
  if (agent_) agent_->read_folder();
}

void SimulatedMachine::order_end(const api::Pod& pod, std::optional<seconds> grace) {
  const auto& uid = pod.metadata.uid;
  say(grace ? fmt::format("{} is deleted, with {} s of grace", uid, grace->count())
            : fmt::format("{} is deleted", uid));
  // Reported before the call: a pod of which nothing runs is gone when the call returns.
  invariants().ordered_to_end(uid, grace);
  if (!agent_->delete_pod(pod, grace))
    invariants().violated("a pod that is shown cannot be deleted");
  if (goes_at_once(pod, grace)) invariants().forced(uid);
}

void SimulatedMachine::order_end_and_stay(const api::Pod& pod, const lifecycle::Ending& ending) {
  const auto& uid = pod.metadata.uid;
  const seconds grace = invariants().period_of_order(pod, ending.grace);
  say(fmt::format("{} is to end as {}, within {} s", uid, ending.failure->reason, grace.count()));
  const bool taken = agent_->pods().order(uid, ending);
  // One that has ended is shown as Running until the store has that.
  const bool runs = std::ranges::any_of(
      pod.status.containerStatuses,
      [](const api::ContainerStatus& status) { return status.state.running.has_value(); });
  if (!taken && runs) return invariants().violated("a pod that runs cannot be ordered to end");
  if (!taken) return;
  invariants().ordered_to_end_and_stay(uid,
                                       {.orders = {{.at = clock_.steady_now(), .grace = grace}},
                                        .reason = ending.failure->reason,
                                        .message = ending.failure->message,
                                        .disruption = ending.failure->disruption});
}

void SimulatedMachine::order_condition(const api::Pod& pod, api::PodCondition condition) {
  const auto& uid = pod.metadata.uid;
  condition = checks_.conditions().next(uid, std::move(condition));
  say(fmt::format("condition {} of {} is set to {}, number {}", condition.type, uid,
                  condition.status, condition.message));
  const auto taken = agent_->set_condition(pod, condition);
  if (taken) checks_.conditions().ordered(*taken, condition);
  // One that has ended is shown as Running until the store has that.
  const bool runs = std::ranges::any_of(
      pod.status.containerStatuses,
      [](const api::ContainerStatus& status) { return status.state.running.has_value(); });
  if (!taken && runs) invariants().violated("a condition of a pod that runs cannot be set");
}

void SimulatedMachine::name(const api::Pod& pod) {
  auto short_name = pod.metadata.name.substr(0, pod.metadata.name.rfind('-'));
  if (trace_.readable(pod.metadata.uid) != pod.metadata.uid) return;
  const int number = ++numbers_.incarnations[short_name];
  trace_.name(pod.metadata.uid, fmt::format("{}.{}", short_name, number));
}

void SimulatedMachine::pods_desired(const std::vector<PodPtr>& pods) {
  for (const auto& pod : pods) {
    name(*pod);
    checks_.shutdown().desired(pod->metadata.uid);
  }
  const bool first_of_life = !std::exchange(reported_.desired, true);
  if (first_of_life) checks_.turns().desired_first(pods);
  invariants().pods_desired(pods, first_of_life);
}

void SimulatedMachine::follows(const api::Pod& ended, const PodPtr& next) {
  if (next) {
    name(*next);
    checks_.shutdown().desired(next->metadata.uid);
  }
  say(fmt::format("after {} comes {}", ended.metadata.uid,
                  next ? next->metadata.uid : std::string("nothing")));
  invariants().follows(ended, next);
}

void SimulatedMachine::mend_everything() {
  disturbances().faults_stop();
  RuntimeFaults none;
  none.shuffled_lists = true;
  runtime_.set_faults(none);
  host_.set_fails(0);
  store_.mend();
  if (extras_.resources) extras_.resources->calm_down();
  if (extras_.login) {
    checks_.shutdown().ends(MachineEnd::kNone);
    extras_.login->manager.announces(false);
    extras_.login->manager.answers(extras_.login->setup.granted);
  }
  for (const auto& instance : runtime_.instances()) runtime_.refuse_stop(instance.id, false);
  runtime_.come_up();
  runtime_.wake_up();
  runtime_.speak_again();
  const Nanoseconds passed = clock_.steady_now().time_since_epoch();
  if (clock_.wall_now() != start_of_time() + passed) {
    disturbances().wall_clock_jumps();
    clock_.set_wall(start_of_time() + passed);
  }
  if (!agent_) start_agent();
}

void SimulatedMachine::check_settled(const std::string& settings) {
  if (over()) return;
  auto trouble = checks_.unsettled(settings, agent_->pods().snapshot());
  if (!trouble && extras_.login && !extras_.login->manager.state().delayed())
    trouble = "nobody delays the machine's end";
  if (trouble) invariants().violated("not settled: " + *trouble);
  if (!over() && runtime_.calls() > kCallsAtMost)
    invariants().violated(fmt::format("{} calls to the runtime", runtime_.calls()));
  if (!over() && !checks_.ledger().problems().empty())
    invariants().violated("a decision taken again: " + checks_.ledger().problems().front());
}

Outcome SimulatedMachine::end() {
  shut_down();
  auto violation = invariants().violation();
  if (violation) violation = trace_.readable(*violation);
  return {.violation = violation,
          .trace_hash = trace_.hash(),
          .ledger_hash = checks_.ledger().hash(),
          .trace_lines = trace_.lines(),
          .runtime_calls = runtime_.calls(),
          .simulated = clock_.steady_now().time_since_epoch()};
}

// Whatever happened before, every coroutine has to end; that is checked too. What was found wrong
// may have interrupted a stop of berthd, which goes on.
void SimulatedMachine::shut_down() {
  const bool clean = !over();
  bool world_stopped = false;
  if (agent_ && !is_stopping()) tasks_.spawn(kStop, take_down(std::make_shared<bool>(false)));
  tasks_.spawn("world", stop_world(&world_stopped));
  for (int turns = 0; turns < 10'000'000 && (is_stopping() || !world_stopped); ++turns) {
    if (loop_.stopped()) loop_.restart();
    if (loop_.poll_one() == 0 && !clock_.step()) break;
  }
  loop_.restart();
  loop_.poll();
  agent_.reset();
  if (clean && clock_.next_deadline()) invariants().violated("a task is left at the end");
}

}  // namespace berth::simulation
