// SPDX-License-Identifier: Apache-2.0

// Keeps the node from running out of memory, disk and processes: measures, asks eviction/cycle.hpp
// what to do, and carries that out.
//
// Two coroutines, owned by the agent: the looks, and the node-level reclaim, which can take
// minutes. Memory and processes are still watched meanwhile, and no pod is evicted for the disk
// being reclaimed before the reclaim is over. Conditions take effect, and are published, before any
// action.
//
// A look measures the node, and the pods if their last measurement is too old. If it decides to
// act, everything that the decision depends on is measured again and the decision repeated, so that
// no pod is evicted because of an old reading. For memory, which may be exhausted in milliseconds,
// that is memory alone, and the victim's containers, which its message names. For any other cause
// it is everything: for a limit with the offenders' disk use, for a disk with that of all pods.
// After an eviction the manager waits for the pod's end, as long as the kubelet does (its kill
// timeout and 30 s), and then looks at once. Otherwise it waits as long as eviction/sampling.hpp
// allows, glancing only at the node's memory where that suffices, or until the kernel signals that
// a limit may be near (look_soon). Loop thread only.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/awaitable.hpp>

#include "agent/eviction/eviction_orders.hpp"
#include "agent/eviction/eviction_report.hpp"
#include "agent/eviction/eviction_view.hpp"
#include "agent/eviction/reading_source.hpp"
#include "base/clock.hpp"
#include "base/notification.hpp"
#include "eviction/cycle.hpp"
#include "eviction/sampling.hpp"

namespace berth::agent {

struct MeasuredFrom {
  Freshness node{};
  Freshness pods{};
};

class EvictionManager {
 public:
  struct Services {
    boost::asio::any_io_executor executor{};
    Clock& clock;
    ReadingSource& readings;
    EvictionOrders& orders;
    NodeReclaimer& reclaimer;
    EvictionReporter& reporter;
    std::function<void()> looked{};  // after each look; may be empty
    // Receives each sample that is added to the history; may be empty.
    std::function<void(const eviction::Sample&)> remembered{};
    // How often pods are measured while no limit is near, between ten seconds and a minute; zero or
    // less, which disables walks, means a minute.
    Nanoseconds pods_every = std::chrono::minutes(1);
  };
  // `fastest`: how fast each signal can approach its limits on this machine, assumed until samples
  // of it exist.
  EvictionManager(Services services, eviction::EvictionConfig config, eviction::Rates fastest);

  // Runs until cancelled.
  [[nodiscard]] boost::asio::awaitable<void> run();
  // Runs beside it until cancelled: carries out the node-level reclaims that looks request, one at
  // a time.
  [[nodiscard]] boost::asio::awaitable<void> reclaim_on_node();
  // Requests a look as soon as possible: a limit may be near.
  void look_soon() { bell_.notify(); }
  // Likewise, and has pods measured for it: one of them may exceed a limit of local storage.
  void judge_limits_soon();

  // Replaces the thresholds from the next look on; the state of unchanged ones is kept.
  void set_config(eviction::EvictionConfig config);
  [[nodiscard]] const eviction::EvictionConfig& config() const { return config_; }

  [[nodiscard]] const std::set<eviction::PressureCondition>& conditions() const {
    return state_.pressure.conditions;
  }
  [[nodiscard]] const eviction::History& history() const { return history_; }
  // Takes over what an earlier berthd measured, oldest first.
  void restore_history(std::vector<eviction::Sample> earlier) {
    history_.put_before(std::move(earlier));
  }
  // How each threshold stood at the last look.
  [[nodiscard]] const std::vector<eviction::JudgedThreshold>& standing() const { return standing_; }
  // Measures now without acting; under other thresholds than those in force, if any are given.
  [[nodiscard]] boost::asio::awaitable<EvictionView> view(
      std::optional<eviction::EvictionConfig> instead = std::nullopt);
  [[nodiscard]] std::optional<eviction::FileSystemLayout> layout() const { return state_.layout; }

 private:
  struct Measured {
    PodList pods{};
    eviction::Readings readings{};
    std::optional<eviction::FileSystemLayout> layout{};
    SteadyTime at{};
    MeasuredFrom from{};
    bool reclaimed = false;          // a reclaim had ended before it
    bool pods_are_new = false;       // measured for this look
    std::set<std::string> closer{};  // uids of pods measured in more detail
  };
  struct Closer {
    PodList pods{};
    PodDetail detail{};
  };
  // The evicted pods, and how long to wait for their ends before they are late.
  struct Going {
    std::vector<std::string> uids{};
    Nanoseconds kill_timeout{};
    eviction::EvictedFor pressure{};
  };
  // The last measurement of pods.
  struct MeasuredPods {
    std::shared_ptr<const eviction::PodsSeen> seen{};
    std::optional<SteadyTime> at{};                     // unset if they are due
    std::vector<eviction::JudgedThreshold> standing{};  // the thresholds at that look
  };
  // A reclaim, from the look that requests it to the one that decides what follows it.
  struct Reclaim {
    std::vector<eviction::NodeReclaim> what{};
    bool over = false;
  };

  // What was reported last.
  struct Reported {
    std::optional<eviction::CycleVerdict> verdict{};
    std::vector<eviction::Threshold> unmeasured{};
  };
  // Later glances are compared with that of the last look.
  struct Glance {
    std::int64_t in_use = 0;  // bytes of the node's memory
    SteadyTime at{};
  };

  // Waits until the next look is due.
  [[nodiscard]] boost::asio::awaitable<void> until_next_look();
  [[nodiscard]] std::optional<Glance> glance() const;
  // Takes one whole look; returns the evicted pods.
  [[nodiscard]] boost::asio::awaitable<Going> look();
  [[nodiscard]] boost::asio::awaitable<Measured> measure(MeasuredFrom from);
  [[nodiscard]] eviction::CycleDecision decide(const Measured& measured) const;
  [[nodiscard]] boost::asio::awaitable<void> measure_pods(PodList pods, PodDetail detail);
  [[nodiscard]] boost::asio::awaitable<void> measure_closer(Closer closer, Measured& measured);
  [[nodiscard]] static Closer closer_look(const eviction::CycleDecision& decision,
                                          const Measured& measured);
  // Refers to `measured`, which outlives it.
  [[nodiscard]] eviction::CycleInput input_of(const Measured& measured) const;
  [[nodiscard]] Freshness node_freshness() const;
  // Puts the state, the thresholds and the conditions into force; returns the previous state.
  eviction::EvictionState come_into_force(const eviction::CycleDecision& decision);
  Going act(const eviction::CycleDecision& decision, const Measured& measured,
            const eviction::EvictionState& before);
  Going evict(const eviction::CycleDecision& decision, const Measured& measured,
              const eviction::EvictionState& before);
  // Call once the look has acted.
  [[nodiscard]] bool follows_reclaim(const Measured& measured) const {
    return measured.reclaimed && !reclaim_;
  }
  void remember(const Going& going, const Measured& measured);
  void report_verdict(const eviction::CycleDecision& decision);
  void report_unmeasured(const eviction::CycleDecision& decision);
  [[nodiscard]] Nanoseconds pods_period() const;

  Services services_;
  eviction::EvictionConfig config_;
  eviction::EvictionConfig without_limits_;  // the same, without limits of local storage
  eviction::Rates fastest_;
  Notification bell_;
  Notification reclaim_bell_;
  std::optional<Reclaim> reclaim_{};
  bool pod_is_ending_ = false;  // an evicted one; no looks meanwhile
  eviction::EvictionState state_{};
  std::vector<eviction::JudgedThreshold> standing_{};
  Reported reported_{};
  std::optional<std::set<eviction::PressureCondition>> shown_{};
  std::optional<Glance> glanced_{};  // right before the last look measured the node
  MeasuredPods pods_{};
  eviction::History history_{};
  eviction::History last_two_{{{.capacity = 2}}};  // for learning rates
};

}  // namespace berth::agent
