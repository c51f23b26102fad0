#include "tests/simulation/world.hpp"

#include <algorithm>
#include <exception>
#include <functional>
#include <set>
#include <utility>
#include <vector>

#include <fmt/core.h>
#include <boost/asio/io_context.hpp>

#include "base/task_group.hpp"
#include "base/virtual_clock.hpp"
#include "lifecycle/unsupported.hpp"
#include "tests/simulation/agent_under_test.hpp"
#include "tests/simulation/generator.hpp"
#include "tests/simulation/invariants.hpp"
#include "tests/simulation/wishes.hpp"

namespace berth::simulation {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;

constexpr std::size_t kFilesAtMost = 6;
// More turns of the loop than this without time moving: something spins.
constexpr int kTurnsAtMost = 200'000;
// Backoff windows and image pull windows end after 300 s at the latest; lost calls before that.
constexpr seconds kTimeToSettle{700};
// Calls to the runtime in one run: far more than any honest run needs.
constexpr std::uint64_t kCallsAtMost = 100'000;

WallTime start_of_time() {
  return WallTime{seconds(1'800'000'000)};
}

class World final : public lifecycle::IncarnationSource {
 public:
  World(std::uint64_t seed, Trace::Sink sink)
      : trace_(std::move(sink)),
        random_(Random(seed).fork("world")),
        clock_(loop_, start_of_time()),
        invariants_(clock_),
        faults_random_(Random(seed).fork("faults")),
        runtime_(loop_.get_executor(), clock_, runtime_setup(seed)),
        host_(clock_, host_setup(seed)),
        store_(loop_.get_executor(), clock_,
               {.random = Random(seed).fork("store"), .trace = &trace_}),
        tasks_(loop_.get_executor(), failure_handler()) {
    invariants_.look_at(runtime_, host_);
  }

  Outcome run();

  PodPtr next_incarnation(const api::Pod& ended) override;

 private:
  RuntimeSetup runtime_setup(std::uint64_t seed);
  HostSetup host_setup(std::uint64_t seed);
  TaskGroup::FailureHandler failure_handler();

  void say(const std::string& what) { trace_.line(clock_.steady_now(), "world", what); }
  [[nodiscard]] bool over() const { return invariants_.violation().has_value(); }
  void drain();
  void pass_until(SteadyTime time);
  bool pass_until_done(const bool& done, seconds bound);

  void act();
  void write_new();
  void edit();
  void remove();
  void rename();
  void write_again();
  void delete_pod();
  void hurt_sandbox();
  void end_container();
  void runtime_goes_down();

  void start_agent();
  void stop_agent();
  boost::asio::awaitable<void> stop_pods(bool* done);
  boost::asio::awaitable<void> stop_runtime(bool* done);
  void push_wishes();
  void compare_wishes();
  [[nodiscard]] AgentKnows agent_knows(const std::string& uid) const;
  void wished(const PodPtr& pod);
  void end_of_chaos();
  void shut_down();

  Trace trace_;
  Random random_;
  boost::asio::io_context loop_{1};
  VirtualClock clock_;
  Invariants invariants_;
  Random faults_random_;
  SimulatedRuntime runtime_;
  SimulatedHost host_;
  SimulatedStore store_;
  TaskGroup tasks_;
  Wishes wishes_{};
  std::unique_ptr<AgentUnderTest> agent_{};
  SteadyTime agent_returns_{};
  SteadyTime runtime_returns_{};
  std::vector<std::pair<std::string, Manifest>> removed_files_{};
  std::set<std::string> wished_{};  // uids
  int names_ = 0;
  int versions_ = 0;
  int turns_ = 0;
};

RuntimeSetup World::runtime_setup(std::uint64_t seed) {
  RuntimeSetup setup;
  setup.random = Random(seed).fork("runtime");
  setup.faults = random_faults(faults_random_);
  setup.latencies = random_latencies(faults_random_);
  setup.trace = &trace_;
  setup.witness = &invariants_;
  setup.events_tell_exit_code = faults_random_.chance(500);
  return setup;
}

HostSetup World::host_setup(std::uint64_t seed) {
  HostSetup setup;
  setup.random = Random(seed).fork("host");
  setup.fails = faults_random_.chance(500) ? static_cast<int>(faults_random_.between(0, 40)) : 0;
  setup.latency = {std::chrono::microseconds(20), milliseconds(5)};
  setup.trace = &trace_;
  setup.kill_all = [this](const std::string& uid) { runtime_.empty_cgroup(uid); };
  return setup;
}

TaskGroup::FailureHandler World::failure_handler() {
  return [this](std::string_view task, std::exception_ptr failure) {
    try {
      std::rethrow_exception(failure);
    } catch (const std::exception& error) {
      invariants_.violated(fmt::format("task {} ended with: {}", task, error.what()));
    }
  };
}

void World::drain() {
  if (loop_.stopped()) loop_.restart();
  while (!over() && loop_.poll_one() > 0) {
    if (++turns_ > kTurnsAtMost) invariants_.violated("the loop spins without time passing");
  }
}

void World::pass_until(SteadyTime time) {
  drain();
  while (!over()) {
    const auto next = clock_.next_deadline();
    if (!next || *next > time) break;
    if (*next > clock_.steady_now()) turns_ = 0;
    clock_.step();
    drain();
  }
  if (!over()) clock_.advance_to(time);
}

bool World::pass_until_done(const bool& done, seconds bound) {
  const auto limit = clock_.steady_now() + bound;
  drain();
  while (!over() && !done && clock_.steady_now() < limit) {
    turns_ = 0;
    if (!clock_.step()) break;
    drain();
  }
  return done;
}

AgentKnows World::agent_knows(const std::string& uid) const {
  if (!agent_ || !agent_->pods().ready()) return AgentKnows::kNothingYet;
  const auto all = agent_->pods().snapshot();
  const bool shown =
      std::ranges::any_of(all, [&](const PodPtr& other) { return other->metadata.uid == uid; });
  return shown ? AgentKnows::kThePod : AgentKnows::kNoSuchPod;
}

void World::wished(const PodPtr& pod) {
  const bool may_run =
      lifecycle::unsupported_wishes(*pod).empty() && pod->spec.nodeSelector.empty();
  wished_.insert(pod->metadata.uid);
  invariants_.wished(pod, may_run, agent_knows(pod->metadata.uid));
}

PodPtr World::next_incarnation(const api::Pod& ended) {
  auto next = wishes_.next_incarnation(ended);
  say(fmt::format("after {} comes {}", ended.metadata.uid,
                  next ? next->metadata.uid : std::string("nothing")));
  wished_.erase(ended.metadata.uid);
  if (next) wished(next);
  return next;
}

// Tells the checks what changes with the wishes as they are now.
void World::compare_wishes() {
  std::set<std::string> now;
  const auto desired = wishes_.desired();
  for (const auto& pod : desired) now.insert(pod->metadata.uid);
  const auto before = wished_;
  for (const auto& uid : before) {
    if (now.contains(uid)) continue;
    wished_.erase(uid);
    invariants_.ordered_to_end(uid, std::nullopt, agent_knows(uid));
  }
  for (const auto& pod : desired) {
    if (!before.contains(pod->metadata.uid)) wished(pod);
  }
}

void World::push_wishes() {
  if (!agent_) return;  // it will see them when it is back
  compare_wishes();
  agent_->pods().set_desired(wishes_.desired());
}

void World::start_agent() {
  compare_wishes();
  // A deletion that was under way is forgotten: what the folder holds is wished.
  for (const auto& pod : wishes_.desired()) wished(pod);
  invariants_.agent_restarted();
  say("berthd starts");
  agent_ = std::make_unique<AgentUnderTest>(AgentSetup{.loop = loop_.get_executor(),
                                                       .clock = &clock_,
                                                       .runtime = &runtime_,
                                                       .host = &host_,
                                                       .store = &store_,
                                                       .trace = &trace_,
                                                       .sink = &invariants_,
                                                       .incarnations = this,
                                                       .on_failure = failure_handler()});
  push_wishes();
}

boost::asio::awaitable<void> World::stop_pods(bool* done) {
  co_await agent_->pods().stop();
  *done = true;
}

boost::asio::awaitable<void> World::stop_runtime(bool* done) {
  co_await runtime_.shutdown();
  co_await store_.shutdown();
  *done = true;
}

void World::stop_agent() {
  say("berthd stops");
  bool done = false;
  tasks_.spawn("stop", stop_pods(&done));
  if (!pass_until_done(done, seconds(5))) {
    return invariants_.violated("berthd does not stop within 5 s");
  }
  drain();
  agent_.reset();
}

Outcome World::run() {
  const auto chaos_ends = clock_.steady_now() + random_.between(seconds(20), seconds(180));
  const auto count = random_.between(1, 4);
  for (std::int64_t i = 0; i < count; ++i) write_new();
  start_agent();
  while (!over() && clock_.steady_now() < chaos_ends) {
    const bool hurried = random_.chance(300);
    pass_until(clock_.steady_now() + random_.between(milliseconds(hurried ? 0 : 300),
                                                     milliseconds(hurried ? 300 : 15'000)));
    if (!over()) act();
  }
  if (!over()) end_of_chaos();
  if (!over()) pass_until(clock_.steady_now() + kTimeToSettle);
  if (!over()) {
    auto trouble =
        unsettled(invariants_, runtime_, host_, clock_.steady_now(), agent_->pods().snapshot());
    if (trouble) invariants_.violated("not settled: " + *trouble);
  }
  if (!over() && runtime_.calls() > kCallsAtMost) {
    invariants_.violated(fmt::format("{} calls to the runtime", runtime_.calls()));
  }
  shut_down();
  return {.violation = invariants_.violation(),
          .trace_hash = trace_.hash(),
          .trace_lines = trace_.lines(),
          .runtime_calls = runtime_.calls()};
}

void World::end_of_chaos() {
  say("faults stop");
  RuntimeFaults none;
  none.shuffled_lists = true;
  runtime_.set_faults(none);
  host_.set_fails(0);
  runtime_.come_up();
  if (!agent_) start_agent();
}

// Whatever happened before, every coroutine has to end; that it does is a check too.
void World::shut_down() {
  const bool clean = !over();
  const auto violation = invariants_.violation();
  bool stopped = agent_ == nullptr;
  bool runtime_stopped = false;
  if (agent_) tasks_.spawn("stop", stop_pods(&stopped));
  tasks_.spawn("runtime", stop_runtime(&runtime_stopped));
  for (int turns = 0; turns < 10'000'000 && !(stopped && runtime_stopped); ++turns) {
    if (loop_.stopped()) loop_.restart();
    if (loop_.poll_one() == 0 && !clock_.step()) break;
  }
  loop_.restart();
  loop_.poll();
  agent_.reset();
  if (clean && clock_.next_deadline()) invariants_.violated("a task is left at the end");
  (void)violation;
}

void World::act() {
  if (!runtime_.reachable() && clock_.steady_now() >= runtime_returns_) runtime_.come_up();
  if (!agent_ && clock_.steady_now() >= agent_returns_) return start_agent();
  using Act = void (World::*)();
  struct Choice {
    int weight;
    Act act;
  };
  static constexpr Choice kChoices[] = {
      {20, &World::write_new},        {14, &World::edit},
      {10, &World::remove},           {5, &World::rename},
      {6, &World::write_again},       {14, &World::delete_pod},
      {6, &World::hurt_sandbox},      {8, &World::end_container},
      {4, &World::runtime_goes_down}, {8, nullptr} /* berthd goes */};
  int total = 0;
  for (const auto& choice : kChoices) total += choice.weight;
  auto drawn = random_.between(0, total - 1);
  for (const auto& choice : kChoices) {
    drawn -= choice.weight;
    if (drawn >= 0) continue;
    if (choice.act != nullptr) return (this->*choice.act)();
    if (!agent_) return;
    stop_agent();
    agent_returns_ = clock_.steady_now() + random_.between(milliseconds(1), milliseconds(10'000));
    return;
  }
}

void World::write_new() {
  if (wishes_.files().size() >= kFilesAtMost) return;
  const auto name = fmt::format("pod{}", ++names_);
  Manifest manifest{.pod = random_pod(random_, name + "-" + kNodeName), .version = ++versions_};
  say("manifest " + name + " is written");
  wishes_.write(name, std::move(manifest));
  push_wishes();
}

void World::edit() {
  if (wishes_.files().empty()) return;
  auto file = std::next(wishes_.files().begin(),
                        random_.between(0, static_cast<std::int64_t>(wishes_.files().size()) - 1));
  const auto name = file->first;
  Manifest manifest{.pod = edited(random_, file->second.pod), .version = ++versions_};
  say("manifest " + name + " is edited");
  wishes_.write(name, std::move(manifest));
  push_wishes();
}

void World::remove() {
  if (wishes_.files().empty()) return;
  auto file = std::next(wishes_.files().begin(),
                        random_.between(0, static_cast<std::int64_t>(wishes_.files().size()) - 1));
  say("manifest " + file->first + " is removed");
  removed_files_.emplace_back(file->first, file->second);
  wishes_.remove(removed_files_.back().first);
  push_wishes();
}

// Another file with the same content: another uid, and the same name.
void World::rename() {
  if (wishes_.files().empty()) return;
  const auto [file, manifest] = *wishes_.files().begin();
  const auto to = fmt::format("{}r", file);
  say(fmt::format("manifest {} is renamed to {}", file, to));
  wishes_.remove(file);
  wishes_.write(to, manifest);
  push_wishes();
}

void World::write_again() {
  if (removed_files_.empty() || wishes_.files().size() >= kFilesAtMost) return;
  const auto [file, manifest] = random_.pick(removed_files_);
  if (wishes_.files().contains(file)) return;
  say("manifest " + file + " is written again as it was");
  wishes_.write(file, manifest);
  push_wishes();
}

void World::delete_pod() {
  if (!agent_) return;
  const auto shown = agent_->pods().snapshot();
  if (shown.empty()) return;
  const auto pod = random_.pick(shown);
  static const std::vector<int> kGraces = {-1, -1, 0, 1, 5, 20};
  const int drawn = random_.pick(kGraces);
  const auto grace = drawn < 0 ? std::optional<seconds>() : std::optional(seconds(drawn));
  say(fmt::format("{} is deleted, grace {}", pod->metadata.uid, drawn));
  // Before the call: a pod of which nothing runs is gone when it returns.
  invariants_.ordered_to_end(pod->metadata.uid, grace, AgentKnows::kThePod);
  const auto deleted =
      agent_->pods().delete_pod(pod->metadata.namespace_, pod->metadata.name, grace);
  if (!deleted) invariants_.violated("a pod that is shown cannot be deleted");
}

void World::hurt_sandbox() {
  std::vector<const SandboxRecord*> alive;
  for (const auto& sandbox : runtime_.sandboxes()) {
    if (!sandbox.died) alive.push_back(&sandbox);
  }
  if (alive.empty()) return;
  const auto* sandbox = random_.pick(alive);
  say("the sandbox of " + sandbox->config.metadata.uid + " dies");
  runtime_.sandbox_dies(sandbox->id, random_.chance(500));
}

void World::end_container() {
  std::vector<const Instance*> alive;
  for (const auto& instance : runtime_.instances()) {
    if (instance.live()) alive.push_back(&instance);
  }
  if (alive.empty()) return;
  const auto* instance = random_.pick(alive);
  say(fmt::format("{} of {} ends", instance->name, instance->pod_uid));
  runtime_.container_ends(instance->id, random_.chance(300) ? 0 : 1);
}

void World::runtime_goes_down() {
  if (!runtime_.reachable()) return;
  runtime_.go_down();
  runtime_returns_ = clock_.steady_now() + random_.between(milliseconds(100), milliseconds(20'000));
}

}  // namespace

Outcome run_seed(std::uint64_t seed, Trace::Sink sink) {
  World world(seed, std::move(sink));
  return world.run();
}

}  // namespace berth::simulation
