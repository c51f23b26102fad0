// One run of the simulation: the fake world, berthd in it, and what befalls both.
//
// `run` lets chance act for a while (simulated_node_acts.cpp), then mends everything, waits, and
// checks that all is as it should.
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
#include "tests/ledger/retaking_ledger.hpp"
#include "tests/simulation/agent_under_test.hpp"
#include "tests/simulation/invariants.hpp"
#include "tests/simulation/invariants_conditions.hpp"
#include "tests/simulation/invariants_probes.hpp"
#include "tests/simulation/random.hpp"
#include "tests/simulation/world.hpp"

namespace berth::simulation {

class SimulatedNode final : private WishListener {
 public:
  SimulatedNode(std::uint64_t seed, Trace::Sink sink);

  Outcome run();

 private:
  RuntimeSetup runtime_setup(std::uint64_t seed);
  HostSetup host_setup(std::uint64_t seed);
  StoreSetup store_setup(std::uint64_t seed);
  TaskGroup::FailureHandler failure_handler();

  void say(const std::string& what) { trace_.line(clock_.steady_now(), "world", what); }
  [[nodiscard]] bool over() const { return invariants_.violation().has_value(); }
  [[nodiscard]] SteadyTime soon(Nanoseconds low, Nanoseconds high) {
    return clock_.steady_now() + random_.between(low, high);
  }

  // Time (world.cpp).
  void drain();
  void pass_until(SteadyTime time);
  bool pass_until_done(const bool& done, Nanoseconds bound);

  // berthd (world.cpp).
  void start_agent();
  void stop_agent();
  void crash_agent();
  void kill_agent();
  boost::asio::awaitable<void> take_down(bool* done);
  boost::asio::awaitable<void> stop_world(bool* done);
  void folder_changed();
  void wishes_are(const std::vector<PodPtr>& pods) override;
  void follows(const api::Pod& ended, const PodPtr& next) override;
  void deletion_stored(const std::string& uid) override { invariants_.deletion_stored(uid); }
  void condition_stored(const std::string& uid, const api::PodCondition& condition) override {
    conditions_.stored(uid, condition);
  }
  void look_at_listing();
  void name(const api::Pod& pod);
  void end_of_chaos();
  void shut_down();

  // What chance does (simulated_node_acts.cpp).
  void act();
  void mend_what_is_due();
  void agent_goes();
  void crash_soon();
  void crash_at_restart();
  void write(const std::string& file, const api::Pod& pod);
  void write_new();
  void edit();
  void remove();
  void remove(const std::string& file);
  void give_up();
  void rename();
  void write_again();
  void delete_pod();
  void delete_again();
  void delete_in_haste();
  void order_end(const api::Pod& pod, std::optional<std::chrono::seconds> grace);
  void set_condition();
  void hurt_sandbox();
  void end_container();
  void refuse_stop();
  void records_vanish();
  void create_comes_late();
  void runtime_goes_down();
  void runtime_hangs();
  void disk_fills();
  void pod_ends_on_full_disk();
  void disk_slows();
  void wall_clock_jumps();
  void change_settings();
  void write_settings();
  [[nodiscard]] std::string pick_file();

  Trace trace_;
  Random random_;
  boost::asio::io_context loop_{1};
  VirtualClock clock_;
  Invariants invariants_;
  ProbeInvariants probes_;
  ConditionInvariants conditions_;
  Random faults_random_;
  // Nobody fails but berthd: every deadline can be held to.
  const bool calm_;
  SimulatedRuntime runtime_;
  SimulatedHost host_;
  SimulatedStore store_;
  TaskGroup tasks_;
  std::unique_ptr<AgentUnderTest> agent_{};
  bool first_wishes_ = false;
  std::string zone_ = "a";
  bool clock_may_jump_ = false;
  std::optional<ledger_test::RetakingLedger> ledger_{};  // in some runs: it takes its time
  std::int64_t kept_ = 0;                                // finished pods; 0: all of them
  std::uint64_t listing_seen_ = 0;                       // the agent's version of it
  Span disk_{};
  SteadyTime agent_returns_{};
  SteadyTime runtime_returns_{};
  SteadyTime disk_returns_{};
  std::map<std::string, std::string> files_{};  // the manifest folder
  std::map<std::string, api::Pod> manifests_{};
  std::vector<std::pair<std::string, api::Pod>> removed_files_{};
  std::map<std::string, int> incarnations_{};  // seen, by pod name
  int names_ = 0;
  int settings_ = 0;  // the ConfigMap's version
  int turns_ = 0;
};

// Where time begins: the wall clock without jumps.
[[nodiscard]] WallTime start_of_time();

}  // namespace berth::simulation
