// SPDX-License-Identifier: Apache-2.0

// A node with readings that a test sets and pods that end when the test ends them; records what is
// published.
#pragma once

#include <algorithm>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "agent/eviction/eviction_manager.hpp"
#include "base/broadcast.hpp"
#include "tests/unit/eviction/eviction_values.hpp"

namespace berth::agent {

class PressedNode final : public ReadingSource,
                          public EvictionOrders,
                          public NodeReclaimer,
                          public EvictionReporter {
 public:
  PressedNode(boost::asio::any_io_executor executor, Clock& clock)
      : clock_(clock), ended_(executor), reclaimed_(executor) {}

  // ReadingSource.
  boost::asio::awaitable<eviction::NodeReadings> node(Freshness freshness) override {
    ++node_reads;
    asked.push_back(freshness);
    if (freshness != Freshness::kCheap && before_fresh) before_fresh();
    auto out = readings;
    for (auto* memory : {&out.memory, &out.allocatable_memory})
      if (*memory) (*memory)->time = clock_.wall_now();
    for (auto* disk : {&out.node_fs, &out.image_fs, &out.container_fs})
      if (*disk) (*disk)->time = clock_.wall_now();
    co_return out;
  }
  std::optional<std::int64_t> memory_in_use() const override {
    ++glances;
    return readings.memory ? readings.memory->working_set : std::nullopt;
  }
  boost::asio::awaitable<eviction::PodReadings> pods(PodList pods, PodDetail detail) override {
    ++pod_reads;
    const bool in_detail = detail >= PodDetail::kContainers;
    eviction::PodReadings out;
    for (const auto& pod : pods) {
      const auto reading = pod_readings.find(pod->metadata.uid);
      if (reading == pod_readings.end()) continue;
      auto& measured = out[reading->first] = reading->second;
      if (detail == PodDetail::kDisks) walked.push_back(pod->metadata.name);
      if (detail == PodDetail::kContainers) detailed.push_back(pod->metadata.name);
      if (!in_detail) measured.containers.clear();
    }
    if (in_detail && while_measured) while_measured();
    if (detail == PodDetail::kContainers && before_walk) before_walk();
    co_return out;
  }
  std::optional<eviction::FileSystemLayout> layout() const override { return known_layout; }

  // EvictionOrders and NodeReclaimer.
  PodList active() const override {
    PodList out;
    for (const auto& [uid, pod] : pods_) out.push_back(pod);
    return out;
  }
  bool evict(const eviction::Eviction& eviction) override {
    if (!pods_.contains(eviction.pod.uid) || eviction.pod.uid == refuses) return false;
    log.push_back("evict " + eviction.pod.name);
    if (on_evict) on_evict(eviction.pod.uid);
    return true;
  }
  boost::asio::awaitable<void> until_released(std::vector<std::string> uids,
                                              SteadyTime deadline) override {
    const auto any_left = [&] {
      return std::ranges::any_of(uids, [&](const auto& uid) { return pods_.contains(uid); });
    };
    while (any_left() && clock_.steady_now() < deadline)
      co_await ended_.wait_until(clock_, deadline);
    log.push_back("waited");
  }
  boost::asio::awaitable<void> reclaim(eviction::NodeReclaim what) override {
    log.push_back("reclaim " + std::string(to_string(what)));
    while (reclaims_slowly) co_await reclaimed_.wait();
    if (on_reclaim) on_reclaim(what);
  }

  // EvictionReporter.
  void conditions(const std::set<eviction::PressureCondition>& present) override {
    std::string text = "conditions";
    for (const auto condition : present) text += " " + std::string(to_string(condition));
    log.push_back(std::move(text));
  }
  void attempting(const eviction::CycleDecision& decision) override {
    log.push_back(eviction::attempt_message(*decision.attempted));
  }
  void choosing(const eviction::CycleDecision& decision) override {
    chosen_for.push_back(to_string(decision.due.front().threshold));
  }
  void evicted(const EvictionReport& report) override { reports.push_back(report); }
  void exceeded_grace_period(const api::Pod& pod) override {
    log.push_back("late " + pod.metadata.name);
  }
  void comes_back(const std::string& uid) override { log.push_back("comes back " + uid); }
  void nobody_evictable(const eviction::CycleDecision& decision) override {
    log.push_back(std::string(to_string(decision.verdict)));
  }
  void unmeasured(const std::vector<eviction::Threshold>& skipped) override {
    std::string text = "unmeasured";
    for (const auto& one : skipped) text += " " + to_string(one);
    log.push_back(std::move(text));
  }
  void blind(eviction::CycleVerdict why) override {
    log.push_back("blind " + std::string(to_string(why)));
  }
  void sees_again() override { log.push_back("sees again"); }

  // Called by the test.
  void add(const eviction::PodValues& values, std::int64_t memory) {
    add(eviction::make_pod(values), memory);
  }
  void add(api::Pod added, std::int64_t memory) {
    auto pod = std::make_shared<const api::Pod>(std::move(added));
    pod_readings[pod->metadata.uid] = eviction::using_memory(memory);
    pods_[pod->metadata.uid] = std::move(pod);
  }
  void end(const std::string& uid) {
    pods_.erase(uid);
    pod_readings.erase(uid);
    ended_.ring();
  }
  void end_reclaim() {
    reclaims_slowly = false;
    reclaimed_.ring();
  }
  void set_memory(std::int64_t available, std::int64_t limit = 8 * eviction::kGi) {
    readings.memory = eviction::MemoryReading{
        .available = available, .working_set = limit - available, .limit = limit};
  }
  void set_disk(std::int64_t available, std::int64_t capacity = 100 * eviction::kGi) {
    readings.node_fs = eviction::FileSystemReading{.available = available, .capacity = capacity};
    readings.image_fs = readings.node_fs;
    readings.container_fs = readings.node_fs;
  }

  eviction::NodeReadings readings{};
  eviction::PodReadings pod_readings{};
  std::optional<eviction::FileSystemLayout> known_layout = eviction::FileSystemLayout::kSingle;
  bool reclaims_slowly = false;  // until end_reclaim
  std::string refuses{};         // the uid of a pod that is over when it is to be evicted
  std::function<void()> before_fresh{};
  std::function<void()> before_walk{};
  std::vector<std::string> walked{};       // names of pods whose disk use was measured anew
  std::function<void()> while_measured{};  // called while pods are measured for an eviction
  std::function<void(const std::string&)> on_evict{};
  std::function<void(eviction::NodeReclaim)> on_reclaim{};
  std::vector<std::string> log{};
  std::vector<EvictionReport> reports{};
  std::vector<std::string> chosen_for{};  // thresholds for which pods were ranked
  int node_reads = 0;
  int pod_reads = 0;
  mutable int glances = 0;
  std::vector<Freshness> asked{};
  std::vector<std::string> detailed{};  // names of pods whose containers were each measured

 private:
  Clock& clock_;
  Broadcast ended_;
  Broadcast reclaimed_;
  std::map<std::string, std::shared_ptr<const api::Pod>> pods_{};
};

}  // namespace berth::agent
