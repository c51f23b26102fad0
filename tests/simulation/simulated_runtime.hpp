// SPDX-License-Identifier: Apache-2.0

// A container runtime in virtual time, for simulations and (faults off) for unit tests.
//
// It behaves as containerd and CRI-O do where that matters to an agent:
//   - names (NAME_NAMESPACE_UID_ATTEMPT) are reserved from the moment a call begins, for good once
//     it succeeded, until removal;
//   - a call whose caller gave up (deadline, cancellation) continues;
//   - an exit is shown by ContainerStatus some time after its event;
//   - events can be lost, doubled and late; an answer can be lost although the work was done;
//   - a restart of the runtime fails every call for a while, and containers live on;
//   - a container with a localhost seccomp profile is not created: the node has none.
// What containers do is encoded in their command (container_program.hpp), how images behave in the
// first part of their name: `missing/` cannot be pulled, `flaky/` fails twice, `slow/` takes long,
// `present/` is on the node from the start; any other is pulled as usual.
//
// The truth is in `instances()` and `sandboxes()`; a Witness sees it happen. Loop thread only.
// `shutdown` must be awaited before it is destroyed.
#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include <boost/asio/any_io_executor.hpp>

#include "base/clock.hpp"
#include "base/notification.hpp"
#include "base/task_group.hpp"
#include "cri/runtime.hpp"
#include "tests/simulation/random.hpp"
#include "tests/simulation/runtime_faults.hpp"
#include "tests/simulation/runtime_record.hpp"
#include "tests/simulation/trace.hpp"

namespace berth::simulation {

struct RuntimeSetup {
  Random random{1};
  RuntimeFaults faults{};
  RuntimeLatencies latencies{};
  Trace* trace = nullptr;      // outlives the runtime, if given
  Witness* witness = nullptr;  // likewise
  bool events_have_exit_code = true;
  std::string name = "containerd";  // as Version reports it
};

class SimulatedRuntime final : public cri::Runtime, public cri::Images {
 public:
  SimulatedRuntime(boost::asio::any_io_executor loop, Clock& clock, RuntimeSetup setup);
  ~SimulatedRuntime() override;

  // cri::Runtime
  cri::Call<cri::Version> version(Context context) override;
  cri::Call<cri::RuntimeStatus> status(Context context) override;
  cri::Call<cri::RuntimeSetup> setup(Context context) override;
  cri::Call<cri::SandboxId> run_pod_sandbox(Context context, cri::PodSandboxConfig config,
                                            std::string runtime_handler) override;
  cri::Call<cri::Done> stop_pod_sandbox(Context context, cri::SandboxId id) override;
  cri::Call<cri::Done> remove_pod_sandbox(Context context, cri::SandboxId id) override;
  cri::Call<cri::PodSandboxStatus> pod_sandbox_status(Context context, cri::SandboxId id) override;
  cri::Call<std::vector<cri::PodSandbox>> list_pod_sandbox(Context context,
                                                           cri::SandboxFilter filter) override;
  cri::Call<cri::ContainerId> create_container(Context context, cri::SandboxId sandbox,
                                               cri::ContainerConfig config,
                                               cri::PodSandboxConfig sandbox_config) override;
  cri::Call<cri::Done> start_container(Context context, cri::ContainerId id) override;
  cri::Call<cri::Done> stop_container(Context context, cri::ContainerId id,
                                      std::chrono::seconds timeout) override;
  cri::Call<cri::Done> remove_container(Context context, cri::ContainerId id) override;
  cri::Call<cri::ContainerStatus> container_status(Context context, cri::ContainerId id) override;
  cri::Call<std::vector<cri::Container>> list_containers(Context context,
                                                         cri::ContainerFilter filter) override;
  cri::Call<cri::Done> reopen_container_log(Context context, cri::ContainerId id) override;
  cri::Call<cri::ExecResult> exec_sync(Context context, cri::ContainerId id,
                                       std::vector<std::string> command,
                                       std::chrono::seconds timeout) override;
  cri::Call<std::string> exec(Context context, cri::ContainerId id,
                              std::vector<std::string> command, bool tty, bool use_stdin) override;

  // cri::Images
  cri::Call<cri::Image> image_status(Context context, cri::ImageSpec image) override;
  cri::Call<std::string> pull_image(Context context, cri::ImageSpec image,
                                    std::vector<cri::AuthConfig> auth,
                                    cri::PodSandboxConfig sandbox_config) override;
  cri::Call<std::vector<cri::Image>> list_images(Context context) override;
  cri::Call<cri::Done> remove_image(Context context, cri::ImageSpec image) override;
  cri::Call<cri::ImageStore> image_store(Context context) override;

  // Events. A new subscription begins with kResubscribed; one subscriber at a time.
  void subscribe();
  [[nodiscard]] boost::asio::awaitable<cri::Event> next_event();
  [[nodiscard]] bool reachable() const { return !down_; }
  [[nodiscard]] bool hung() const { return hung_; }

  // What the fake world can do to it.
  void go_down();  // every call fails until come_up; containers keep running
  // The runtime goes down, and nothing runs any more: it notices when it comes up, and sends no
  // event.
  void lose_everything_that_runs();
  // Another client started these before; no event is sent.
  void runs_already(const cri::PodSandboxConfig& sandbox,
                    const std::vector<cri::ContainerConfig>& containers);
  // Another client runs a sandbox with the labels, annotations and, but for the attempt, the name
  // of this one, and removes it when this one is stopped or dies. False if there is a copy already.
  bool copy_sandbox(const cri::SandboxId& id);
  void remove_copies();  // of all sandboxes
  void come_up();
  void hang();  // it accepts calls and answers none until it wakes up; containers keep running
  void wake_up();
  // No event arrives any more, without any error, until the next subscription.
  void fall_silent();
  void speak_again();
  void sandbox_dies(const cri::SandboxId& id, bool with_containers);
  void container_ends(const cri::ContainerId& id, std::int32_t code);  // as if by itself
  // The container ends while the runtime is down, which does not notice: UNKNOWN, until the runtime
  // is asked to stop it.
  void lose_sight_of(const cri::ContainerId& id);
  // An earlier call whose caller is gone takes effect: it creates the next instance after this one.
  void created_late(const cri::ContainerId& before);
  void records_vanish(
      const std::string& pod_uid);  // another client removes the pod's ended containers
  void empty_cgroup(const std::string& pod_uid);  // KILL to everything that runs
  // StopContainer fails for it from now on; StopPodSandbox of its sandbox does not.
  void refuse_stop(const cri::ContainerId& id, bool refuses = true);
  // RemovePodSandbox fails for it with that message; if empty, it can be removed again.
  void refuse_removal(const cri::SandboxId& id, std::string message);
  // Another client removes the images that no container uses.
  void forget_images();
  // No hook takes longer from now on.
  void hooks_return_within(Nanoseconds limit) { longest_hook_ = limit; }
  void be_set_up(cri::RuntimeSetup reported) { reported_ = std::move(reported); }
  void set_faults(const RuntimeFaults& faults) { faults_ = faults; }

  // The truth.
  [[nodiscard]] const std::deque<Instance>& instances() const { return instances_; }
  // Without copies.
  [[nodiscard]] const std::deque<SandboxRecord>& sandboxes() const { return sandboxes_; }
  [[nodiscard]] bool is_copy(const cri::SandboxId& id) const;
  [[nodiscard]] std::uint64_t calls() const { return calls_; }
  [[nodiscard]] std::size_t calls_in_flight() const { return flights_.size(); }

  [[nodiscard]] boost::asio::awaitable<void> shutdown();

 private:
  // CRI's selection by labels: all that are named must be there, with these values.
  [[nodiscard]] static bool selected(const cri::StringMap& selector, const cri::StringMap& labels);

  enum class Fate : std::uint8_t { kDone, kRefused, kFailedBefore, kFailedAfter, kLost, kStalled };

  // A call between its caller and its end in the runtime.
  struct Flight {
    explicit Flight(boost::asio::any_io_executor loop) : answer(std::move(loop)) {}
    std::uint64_t number = 0;
    std::string what{};
    Fate fate = Fate::kDone;
    std::optional<Error> error{};  // what the caller gets instead of the result
    bool answered = false;
    bool caller_gone = false;
    bool begun = false;
    bool over = false;  // the runtime does nothing more for it
    std::optional<SteadyTime> deadline{};
    std::function<void()> finish{};
    std::function<void()> undo{};
    Notification answer;
  };
  using FlightPtr = std::shared_ptr<Flight>;

  // What one call does in the runtime. `begin` checks and reserves; `finish`, after `duration`,
  // has the effect; `undo` takes back what begin did. With `ends_itself` nothing is timed: begin
  // sees to it that `complete` is called.
  template <class T>
  struct Order {
    std::string what{};
    Span duration{};
    std::optional<Nanoseconds> limit{};  // how long the caller waits; unset for no limit
    bool ends_itself = false;
    bool query = false;
    std::function<std::optional<Error>(const FlightPtr&)> begin{};
    std::function<Result<T>()> finish{};
    std::function<void()> undo{};
  };

  template <class T>
  cri::Call<T> fly(Context context, Order<T> order);
  FlightPtr take_off(const std::string& what, std::optional<Nanoseconds> limit,
                     const Context& context, bool query, bool watch_deadline);
  void travel(const FlightPtr& flight, Nanoseconds work, bool ends_itself,
              std::function<std::optional<Error>(const FlightPtr&)> begin);
  void complete(const FlightPtr& flight);
  void answer(const FlightPtr& flight, std::optional<Error> error);
  boost::asio::awaitable<void> await_answer(FlightPtr flight);
  Fate draw_fate(bool query, bool limited);
  void unless_hung(std::function<void()> work);
  void give_up_at_deadline(const FlightPtr& flight);

  void after(Nanoseconds delay, std::function<void()> work);
  boost::asio::awaitable<void> run_at(SteadyTime at, std::function<void()> work);
  Nanoseconds draw(Span span) { return random_.between(span.low, span.high); }
  [[nodiscard]] std::int64_t unix_now() const { return cri::unix_nanoseconds(clock_.wall_now()); }
  void say(const std::string& what);

  std::optional<Error> reserve(const std::string& name);
  std::string new_id();
  void emit(cri::EventType type, const std::string& id,
            std::optional<std::int32_t> exit_code = std::nullopt);
  void deliver(cri::Event event, Nanoseconds delay);

  SandboxRecord* find_sandbox(const std::string& id);
  Instance* find_instance(const std::string& id);
  SandboxRecord& add_sandbox(const cri::PodSandboxConfig& config, const cri::SandboxId& id);
  void make_sandbox(const cri::PodSandboxConfig& config, const cri::SandboxId& id);
  void end_sandbox(SandboxRecord& sandbox, Nanoseconds shown_after);
  void remove_copies_of(const cri::SandboxId& id);
  Result<cri::Done> drop_sandbox(const cri::SandboxId& id);
  std::optional<Error> may_create(const cri::SandboxId& sandbox, const cri::ContainerConfig& config,
                                  const std::string& name);
  Instance& add_instance(const cri::ContainerId& id, const cri::SandboxId& sandbox,
                         const cri::ContainerConfig& config, const std::string& uid);
  void make_instance(const cri::ContainerId& id, const cri::SandboxId& sandbox,
                     const cri::ContainerConfig& config, const std::string& uid);
  std::optional<Error> begin_exec(const FlightPtr& flight, const cri::ContainerId& id);
  std::optional<Error> may_start(const cri::ContainerId& id);
  Result<cri::Done> start_now(const cri::ContainerId& id);
  void run_program(Instance& instance);
  std::optional<Error> begin_stop(const FlightPtr& flight, const cri::ContainerId& id,
                                  std::chrono::seconds timeout);
  void clean_up_unknown(Instance& instance);
  void drop_instance(Instance& instance);
  void send_term(Instance& instance);
  void send_kill(Instance& instance, KillCause cause, Nanoseconds dying);
  void exit_after(Instance& instance, Nanoseconds delay, std::int32_t code, std::string reason);
  // Changes the record only; no event is sent.
  void record_exit(Instance& instance, std::int32_t code, const std::string& reason,
                   SteadyTime shown);
  void exit_now(Instance& instance, std::int32_t code, const std::string& reason,
                Nanoseconds shown_after);
  [[nodiscard]] bool shows_exit(const Instance& instance) const;
  [[nodiscard]] bool shows_death(const SandboxRecord& sandbox) const;
  [[nodiscard]] cri::ContainerState shown_state(const Instance& instance) const;
  cri::ContainerStatus show(const Instance& instance) const;
  cri::PodSandboxStatus show(const SandboxRecord& sandbox) const;
  Error missing(const std::string& what) const;
  std::optional<cri::Image> image_on_node(const std::string& name);
  Result<std::string> pulled(const std::string& name);

  boost::asio::any_io_executor loop_;
  Clock& clock_;
  Random random_;
  cri::RuntimeSetup reported_{};  // what it reports of itself
  RuntimeFaults faults_;
  Nanoseconds longest_hook_ = Nanoseconds::max();
  RuntimeLatencies latencies_;
  Trace* trace_;
  Witness silent_{};
  Witness& witness_;
  bool events_have_exit_code_;
  std::string name_;
  TaskGroup tasks_;
  Notification events_rung_;

  bool down_ = false;
  bool hung_ = false;
  std::vector<std::function<void()>> held_{};  // what a hung runtime does when it wakes up
  bool subscribed_ = false;
  bool mute_ = false;
  std::uint64_t calls_ = 0;
  std::uint64_t ids_ = 0;
  std::deque<cri::Event> events_{};
  std::map<std::uint64_t, FlightPtr> flights_{};
  std::set<std::string> names_{};
  std::deque<SandboxRecord> sandboxes_{};
  std::deque<SandboxRecord> sandbox_copies_{};
  std::deque<Instance> instances_{};
  std::map<std::string, SandboxRecord*> known_sandboxes_{};
  std::map<std::string, Instance*> known_instances_{};
  std::map<std::string, std::vector<FlightPtr>> exit_waiters_{};  // by container id
  std::map<std::string, std::vector<FlightPtr>> execs_{};         // likewise: what runs in it
  std::map<std::string, std::string> refused_removals_{};         // by sandbox id: why
  struct NodeImages {
    std::map<std::string, std::string> ids{};  // by name
    std::map<std::string, int> pulls{};        // likewise
  };
  NodeImages images_{};
};

template <class T>
cri::Call<T> SimulatedRuntime::fly(Context context, Order<T> order) {
  auto result = std::make_shared<std::optional<Result<T>>>();
  const bool watch = order.ends_itself || context.deadline.has_value();
  auto flight = take_off(order.what, order.limit, context, order.query, watch);
  flight->undo = order.undo;
  flight->finish = [result, finish = order.finish] { result->emplace(finish()); };
  travel(flight, draw(order.duration), order.ends_itself, order.begin);
  co_await await_answer(flight);
  if (flight->error) co_return fail(*flight->error);
  co_return std::move(**result);
}

}  // namespace berth::simulation
