// SPDX-License-Identifier: Apache-2.0

// The fake world with berthd in it, and its time: what every kind of run has.
//
// A random run (simulated_node.hpp) and a short life that is cut at every instant
// (short_life_run.hpp) define what befalls the node; here is how time passes, how berthd starts,
// stops and is killed, which checks are notified of what, and how a run ends. The first violation
// ends the run.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <boost/asio/io_context.hpp>

#include "base/task_group.hpp"
#include "base/virtual_clock.hpp"
#include "tests/simulation/agent_under_test.hpp"
#include "tests/simulation/container_logs.hpp"
#include "tests/simulation/invariants/all_checks.hpp"
#include "tests/simulation/simulated_folder.hpp"
#include "tests/simulation/world.hpp"

namespace berth::simulation {

// How the node is shut down, and how long the machine waits for that.
struct ShutdownSetup {
  lifecycle::ShutdownGroups groups{};
  Nanoseconds granted{};
};

// The properties of the world; tracing and checks are set up by the machine itself.
struct MachineSetup {
  RuntimeSetup runtime{};
  HostSetup host{};
  StoreSetup store{};
  std::int64_t kept = 0;                      // finished pods; 0: all of them
  std::int32_t most_pods = 110;               // how many may be active at once
  bool tainted = false;                       // the node has a taint that not all pods tolerate
  bool keeps_house = false;                   // images are collected, logs rotated
  std::optional<ResourcesSetup> resources{};  // if unset, nothing ever runs short
  std::optional<ShutdownSetup> shutdown{};    // if unset, nothing announces a shutdown
};

// What berthd is started with. Only a label of the node changes.
struct SimulatedNodeSettings {
  std::string zone = "a";
  const std::int64_t kept = 0;
  const std::int32_t most_pods = 0;
  const bool tainted = false;
};

class SimulatedMachine : private DesiredPodsListener {
 public:
  SimulatedMachine(MachineSetup setup, Trace::Sink sink);

 protected:
  ~SimulatedMachine() override = default;

  void say(const std::string& what) { trace_.line(clock_.steady_now(), "world", what); }
  [[nodiscard]] Invariants& invariants() { return checks_.invariants(); }
  [[nodiscard]] Disturbances& disturbances() { return checks_.disturbances(); }
  [[nodiscard]] bool over() const { return checks_.invariants().violation().has_value(); }

  // Time.
  void drain();
  virtual void handled() {}  // one handler has run
  void pass_until(SteadyTime time);
  bool pass_until_done(const bool& done, Nanoseconds bound);

  // berthd.
  void start_agent();
  void stop_last_pods();  // asked to stop while the machine shuts down: systemd waits
  void stop_agent();
  // What it was writing is durable, or lost.
  void kill_agent(bool written);
  // The machine goes off, when berthd no longer runs; it is up again when the runtime is.
  void go_off();
  void folder_changed();
  // Called while no berthd runs. `as_read`: the manifests are as the previous berthd has read them.
  void lose_state(bool damaged, bool as_read);
  // Called before the first berthd: this manifest's pod runs, started by a kubelet.
  void kubelet_leaves(const api::Pod& manifest);
  // Orders, as clients of the control socket give them.
  void order_end(const api::Pod& pod, std::optional<std::chrono::seconds> grace);
  // Orders as eviction, preemption and the node's shutdown give them.
  void order_end_and_stay(const api::Pod& pod, const lifecycle::Ending& ending);
  void order_condition(const api::Pod& pod, api::PodCondition condition);

  // Ends all faults for good; berthd runs.
  void mend_everything();
  // All must be as it should by now.
  void check_settled(const std::string& settings);
  // Ends everything that waits; returns the result of the run.
  Outcome end();

  Trace trace_;
  boost::asio::io_context loop_{1};
  VirtualClock clock_;
  AllChecks checks_;
  SimulatedRuntime runtime_;
  SimulatedHost host_;
  SimulatedStore store_;
  LogsAtStart log_files_{host_};
  std::unique_ptr<AgentUnderTest> agent_{};
  // Members that only some worlds have.
  struct Extras {
    std::optional<ContainerLogs> logs{};  // if they are rotated
    std::optional<SimulatedResources> resources{};
    struct Login {
      Login(ShutdownSetup given, boost::asio::any_io_executor loop)
          : setup(std::move(given)), manager(std::move(loop)) {
        manager.answers(setup.granted);
      }
      ShutdownSetup setup;
      SimulatedLoginManager manager;
    };
    std::optional<Login> login{};
  };
  Extras extras_{};
  SimulatedNodeSettings node_;
  SimulatedFolder folder_{};

 private:
  RuntimeSetup wired(RuntimeSetup setup);
  HostSetup wired(HostSetup setup);
  StoreSetup wired(StoreSetup setup);
  TaskGroup::FailureHandler failure_handler();
  // Each sets `done`; whoever waits for it may have given up by then.
  boost::asio::awaitable<void> end_well(std::shared_ptr<bool> done);  // as after SIGTERM
  boost::asio::awaitable<void> take_down(std::shared_ptr<bool> done);
  [[nodiscard]] bool is_stopping() const;  // berthd
  boost::asio::awaitable<void> carry_out_shutdown(std::shared_ptr<bool> done);
  boost::asio::awaitable<void> stop_world(bool* done);
  void pods_desired(const std::vector<PodPtr>& pods) override;
  void follows(const api::Pod& ended, const PodPtr& next) override;
  void deletion_stored(const std::string& uid) override { invariants().deletion_stored(uid); }
  void condition_stored(const std::string& uid, const api::PodCondition& condition) override {
    checks_.conditions().stored(uid, condition);
  }
  void look_at_agent();
  void look_at_listing();
  void name(const api::Pod& pod);
  void shut_down();

  TaskGroup tasks_;
  // What the present berthd has reported.
  struct Reported {
    std::uint64_t listing = 0;  // its version
    bool desired = false;       // the pods that it wants
  };
  Reported reported_{};
  struct Numbers {
    std::map<std::string, int> incarnations{};  // seen, by pod name
    int taken_over = 0;
  };
  Numbers numbers_{};  // given so far
  int turns_ = 0;      // of the loop, at this instant
};

// The wall-clock time at which a run begins, without jumps.
[[nodiscard]] WallTime start_of_time();

}  // namespace berth::simulation
