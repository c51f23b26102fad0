// SPDX-License-Identifier: Apache-2.0

// One random run: what befalls the fake world and berthd in it.
//
// `run` lets chance act for a while (simulated_node_acts.cpp), then mends everything, waits, and
// checks that all is as it should.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "tests/simulation/random.hpp"
#include "tests/simulation/simulated_machine.hpp"

namespace berth::simulation {

class SimulatedNode final : private SimulatedMachine {
 public:
  SimulatedNode(std::uint64_t seed, Trace::Sink sink);

  Outcome run();

 private:
  // The random properties of the world before it begins.
  struct Chance {
    explicit Chance(std::uint64_t seed);

    Random faults;
    bool calm;
    bool clock_may_jump = false;
    MachineSetup machine{};
  };
  SimulatedNode(std::uint64_t seed, Chance chance, Trace::Sink sink);

  [[nodiscard]] SteadyTime soon(Nanoseconds low, Nanoseconds high) {
    return clock_.steady_now() + random_.between(low, high);
  }

  void begin_life();
  void crash_agent();
  void end_of_chaos();

  // What chance does (simulated_node_acts.cpp, simulated_node_runtime.cpp, endings/).
  void act();
  void mend_what_is_due();
  void agent_goes();
  void machine_reboots();
  void state_is_lost();
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
  void set_condition();
  void disrupt();
  void shut_down_or_not();
  void announce(bool shutting_down);
  void machine_goes_off();
  void evict();
  void hurt_sandbox();
  void copy_sandbox();
  void end_container();
  void refuse_stop();
  void records_vanish();
  void create_comes_late();
  void runtime_goes_down();
  void runtime_hangs();
  void stream_falls_silent();
  void disk_fills();
  void pod_ends_on_full_disk();
  void disk_slows();
  void wall_clock_jumps();
  void change_settings();
  void write_settings();
  void write_classes();
  void take_over();
  void runtime_loses_sight();
  void break_file();
  void containers_write();
  void image_vanishes();
  void hooks_are_let_go();
  void mend_file(const std::string& file);
  void file_is_good(const std::string& file);
  [[nodiscard]] std::string pick_file();
  [[nodiscard]] bool folder_is_as_read() const;

  Random random_;
  // Unset in runs without such events; streams of their own, so that other runs do not change.
  std::optional<Random> disruptions_;
  std::optional<Random> copying_;
  struct Shutdown {
    Random random;  // likewise
    SteadyTime ends{};
    std::optional<SteadyTime> called_off{};  // if unset, the machine goes off
  };
  Shutdown shutdown_;
  // Only berthd itself fails: every deadline can be met.
  const bool calm_;
  const bool clock_may_jump_;
  SteadyTime agent_returns_{};
  SteadyTime runtime_returns_{};
  SteadyTime disk_returns_{};
  SteadyTime stream_returns_{};
  bool stream_is_silent_ = false;
  std::map<std::string, api::Pod> manifests_{};
  std::set<std::string> broken_{};  // files
  std::vector<std::pair<std::string, api::Pod>> removed_files_{};
  int names_ = 0;
  int settings_ = 0;  // the ConfigMap's version
};

[[nodiscard]] ShutdownSetup random_shutdown(std::uint64_t seed);

}  // namespace berth::simulation
