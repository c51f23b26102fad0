// How a run goes: time, the lives of berthd, the end.
#include "tests/simulation/world.hpp"

#include <algorithm>
#include <exception>
#include <utility>

#include <fmt/core.h>

#include "lifecycle/unsupported.hpp"
#include "tests/simulation/generator.hpp"
#include "tests/simulation/simulated_node.hpp"

namespace berth::simulation {

using std::chrono::microseconds;
using std::chrono::milliseconds;
using std::chrono::seconds;

namespace {

// More turns of the loop than this without time moving: something spins.
constexpr int kTurnsAtMost = 200'000;
// Backoff windows and image pull windows end after 300 s at the latest; lost calls before that.
constexpr seconds kTimeToSettle{700};
// Calls to the runtime in one run: far more than any honest run needs.
constexpr std::uint64_t kCallsAtMost = 100'000;
// In one of so many runs every decision is taken again from its record.
constexpr std::uint64_t kRetakenOneIn = 16;

}  // namespace

WallTime start_of_time() {
  return WallTime{seconds(1'800'000'000)};
}

SimulatedNode::SimulatedNode(std::uint64_t seed, Trace::Sink sink)
    : trace_(std::move(sink)),
      random_(Random(seed).fork("world")),
      clock_(loop_, start_of_time()),
      invariants_(clock_),
      probes_(clock_, invariants_),
      conditions_(invariants_),
      faults_random_(Random(seed).fork("faults")),
      calm_(faults_random_.chance(150)),
      runtime_(loop_.get_executor(), clock_, runtime_setup(seed)),
      host_(clock_, host_setup(seed)),
      store_(loop_.get_executor(), clock_, store_setup(seed)),
      tasks_(loop_.get_executor(), failure_handler()) {
  clock_may_jump_ = !calm_ && faults_random_.chance(150);
  invariants_.look_at(runtime_, host_, store_);
  invariants_.also_show(probes_);
  invariants_.also_show(conditions_);
  conditions_.look_at(store_);
  if (faults_random_.chance(300)) kept_ = faults_random_.between(1, 3);
  invariants_.set_kept(kept_);
  probes_.look_at(runtime_, store_);
  if (seed % kRetakenOneIn == 0) ledger_.emplace();
}

RuntimeSetup SimulatedNode::runtime_setup(std::uint64_t seed) {
  RuntimeSetup setup;
  setup.random = Random(seed).fork("runtime");
  setup.faults = calm_ ? friendly_faults(faults_random_) : random_faults(faults_random_);
  setup.latencies = random_latencies(faults_random_);
  setup.trace = &trace_;
  setup.witness = &invariants_;
  setup.events_tell_exit_code = faults_random_.chance(500);
  invariants_.set_quiet(is_quiet(setup.faults));
  return setup;
}

HostSetup SimulatedNode::host_setup(std::uint64_t seed) {
  HostSetup setup;
  setup.random = Random(seed).fork("host");
  const bool well = calm_ || faults_random_.chance(600);
  setup.fails = well ? 0 : static_cast<int>(faults_random_.between(1, 40));
  setup.latency = {microseconds(20), milliseconds(5)};
  setup.trace = &trace_;
  setup.kill_all = [this](const std::string& uid) { runtime_.empty_cgroup(uid); };
  if (setup.fails > 0) invariants_.set_quiet(false);
  return setup;
}

StoreSetup SimulatedNode::store_setup(std::uint64_t seed) {
  StoreSetup setup;
  setup.random = Random(seed).fork("store");
  disk_ = faults_random_.chance(300) ? Span{milliseconds(5), milliseconds(120)}
                                     : Span{microseconds(100), milliseconds(4)};
  setup.latency = disk_;
  setup.trace = &trace_;
  return setup;
}

TaskGroup::FailureHandler SimulatedNode::failure_handler() {
  return [this](std::string_view task, std::exception_ptr failure) {
    try {
      std::rethrow_exception(failure);
    } catch (const std::exception& error) {
      invariants_.violated(fmt::format("task {} ended with: {}", task, error.what()));
    }
  };
}

void SimulatedNode::drain() {
  if (loop_.stopped()) loop_.restart();
  while (!over() && loop_.poll_one() > 0) {
    if (++turns_ > kTurnsAtMost) invariants_.violated("the loop spins without time passing");
  }
}

void SimulatedNode::look_at_listing() {
  if (!agent_ || agent_->pods().version() == listing_seen_) return;
  listing_seen_ = agent_->pods().version();
  invariants_.listing_is(agent_->pods().snapshot(), agent_->pods().ready());
}

void SimulatedNode::pass_until(SteadyTime time) {
  drain();
  look_at_listing();
  while (!over()) {
    const auto next = clock_.next_deadline();
    if (!next || *next > time) break;
    if (*next > clock_.steady_now()) turns_ = 0;
    clock_.step();
    drain();
    look_at_listing();
  }
  if (!over()) clock_.advance_to(time);
}

bool SimulatedNode::pass_until_done(const bool& done, Nanoseconds bound) {
  const auto limit = clock_.steady_now() + bound;
  drain();
  while (!over() && !done && clock_.steady_now() < limit) {
    turns_ = 0;
    if (!clock_.step()) break;
    drain();
  }
  return done;
}

void SimulatedNode::start_agent() {
  if (random_.chance(200)) zone_.front() = zone_ == "a" ? 'b' : 'a';
  invariants_.agent_restarted();
  probes_.agent_restarted();
  conditions_.agent_restarted();
  listing_seen_ = 0;
  say("berthd starts, in zone " + zone_);
  first_wishes_ = true;
  agent_ = std::make_unique<AgentUnderTest>(AgentSetup{.loop = loop_.get_executor(),
                                                       .clock = &clock_,
                                                       .runtime = &runtime_,
                                                       .host = &host_,
                                                       .store = &store_,
                                                       .trace = &trace_,
                                                       .sink = &invariants_,
                                                       .listener = this,
                                                       .probes = &probes_,
                                                       .events = &probes_,
                                                       .ledger = ledger_ ? &*ledger_ : nullptr,
                                                       .files = &files_,
                                                       .zone = zone_,
                                                       .terminated_pods_kept = kept_,
                                                       .on_failure = failure_handler()});
}

boost::asio::awaitable<void> SimulatedNode::take_down(bool* done) {
  co_await agent_->stop();
  *done = true;
}

boost::asio::awaitable<void> SimulatedNode::stop_world(bool* done) {
  co_await runtime_.shutdown();
  co_await store_.shutdown();
  *done = true;
}

void SimulatedNode::stop_agent() {
  say("berthd stops");
  bool done = false;
  tasks_.spawn("stop", take_down(&done));
  if (!pass_until_done(done, seconds(5)))
    return invariants_.violated("berthd does not stop within 5 s");
  drain();
  agent_.reset();
  store_.flush();
}

// At any suspension point: somewhere in a burst of handlers that are ready to run.
void SimulatedNode::crash_agent() {
  pass_until(soon(Nanoseconds{}, milliseconds(random_.chance(500) ? 20 : 600)));
  if (over()) return;
  const auto next = clock_.next_deadline();
  if (next && *next < clock_.steady_now() + seconds(2)) clock_.step();
  if (loop_.stopped()) loop_.restart();
  for (auto turns = random_.between(0, 25); turns > 0 && !over(); --turns) {
    if (loop_.poll_one() == 0) break;
  }
  if (!over()) kill_agent();
}

void SimulatedNode::kill_agent() {
  const bool written = random_.chance(500);
  say(fmt::format("berthd is killed; what it was writing is {}", written ? "kept" : "lost"));
  agent_->kill();
  store_.crash(written);
  bool done = false;
  tasks_.spawn("unwind", take_down(&done));
  drain();
  if (!over() && !done) invariants_.violated("a killed berthd waits for something");
  if (!over()) agent_.reset();
}

void SimulatedNode::folder_changed() {
  if (agent_) agent_->read_folder();
}

void SimulatedNode::name(const api::Pod& pod) {
  auto short_name = pod.metadata.name.substr(0, pod.metadata.name.rfind('-'));
  if (trace_.readable(pod.metadata.uid) != pod.metadata.uid) return;
  const int number = ++incarnations_[short_name];
  trace_.name(pod.metadata.uid, fmt::format("{}.{}", short_name, number));
}

void SimulatedNode::wishes_are(const std::vector<PodPtr>& pods) {
  for (const auto& pod : pods) name(*pod);
  invariants_.wishes_are(pods, std::exchange(first_wishes_, false));
}

void SimulatedNode::follows(const api::Pod& ended, const PodPtr& next) {
  if (next) name(*next);
  say(fmt::format("after {} comes {}", ended.metadata.uid,
                  next ? next->metadata.uid : std::string("nothing")));
  invariants_.follows(ended, next);
}

Outcome SimulatedNode::run() {
  const auto chaos_ends = soon(seconds(20), seconds(180));
  const auto count = random_.between(1, 4);
  for (std::int64_t i = 0; i < count; ++i) write_new();
  start_agent();
  while (!over() && clock_.steady_now() < chaos_ends) {
    const bool hurried = random_.chance(300);
    pass_until(soon(milliseconds(hurried ? 0 : 300), milliseconds(hurried ? 300 : 15'000)));
    if (!over()) act();
  }
  if (!over()) end_of_chaos();
  if (!over()) pass_until(clock_.steady_now() + kTimeToSettle);
  if (!over()) {
    auto trouble = unsettled({.invariants = invariants_,
                              .probes = probes_,
                              .conditions = conditions_,
                              .runtime = runtime_,
                              .host = host_,
                              .store = store_,
                              .settings = std::to_string(settings_)},
                             clock_.steady_now(), agent_->pods().snapshot());
    if (trouble) invariants_.violated("not settled: " + *trouble);
  }
  if (!over() && runtime_.calls() > kCallsAtMost)
    invariants_.violated(fmt::format("{} calls to the runtime", runtime_.calls()));
  if (!over() && ledger_ && !ledger_->problems().empty())
    invariants_.violated("a decision taken again: " + ledger_->problems().front());
  shut_down();
  auto violation = invariants_.violation();
  if (violation) violation = trace_.readable(*violation);
  return {.violation = violation,
          .trace_hash = trace_.hash(),
          .trace_lines = trace_.lines(),
          .runtime_calls = runtime_.calls(),
          .simulated = clock_.steady_now().time_since_epoch()};
}

void SimulatedNode::end_of_chaos() {
  say("faults stop");
  RuntimeFaults none;
  none.shuffled_lists = true;
  runtime_.set_faults(none);
  host_.set_fails(0);
  store_.set_full(false);
  store_.set_latency(disk_);
  for (const auto& instance : runtime_.instances()) runtime_.refuse_stop(instance.id, false);
  runtime_.come_up();
  runtime_.wake_up();
  const Nanoseconds passed = clock_.steady_now().time_since_epoch();
  if (clock_.wall_now() != start_of_time() + passed) {
    invariants_.wall_clock_jumps();
    clock_.set_wall(start_of_time() + passed);
  }
  // Nobody waits for it any more, and everybody has to show its last version.
  write_settings();
  if (!agent_) start_agent();
}

// Whatever happened before, every coroutine has to end; that it does is a check too.
void SimulatedNode::shut_down() {
  const bool clean = !over();
  bool stopped = agent_ == nullptr;
  bool world_stopped = false;
  if (agent_) tasks_.spawn("stop", take_down(&stopped));
  tasks_.spawn("world", stop_world(&world_stopped));
  for (int turns = 0; turns < 10'000'000 && !(stopped && world_stopped); ++turns) {
    if (loop_.stopped()) loop_.restart();
    if (loop_.poll_one() == 0 && !clock_.step()) break;
  }
  loop_.restart();
  loop_.poll();
  agent_.reset();
  if (clean && clock_.next_deadline()) invariants_.violated("a task is left at the end");
}

Outcome run_seed(std::uint64_t seed, Trace::Sink sink) {
  SimulatedNode node(seed, std::move(sink));
  return node.run();
}

}  // namespace berth::simulation
