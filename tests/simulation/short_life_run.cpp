// SPDX-License-Identifier: Apache-2.0

#include "tests/simulation/short_life_run.hpp"

#include <algorithm>
#include <map>
#include <utility>

#include <fmt/core.h>

#include "api/codec.hpp"
#include "api/config_map.hpp"
#include "tests/simulation/generator.hpp"
#include "tests/simulation/simulated_machine.hpp"

namespace berth::simulation {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;

constexpr milliseconds kAway{300};    // from a kill to the next berthd
constexpr seconds kTimeToSettle{90};  // long enough for a backoff of 10 s and one of 20 s

class ShortLifeRun final : private SimulatedMachine, private LifeStage {
 public:
  ShortLifeRun(const ShortLife& life, std::vector<Cut> cuts, Trace::Sink sink)
      : SimulatedMachine({.kept = life.kept}, std::move(sink)),
        life_(life),
        cuts_(std::move(cuts)) {}

  LifeOutcome run() {
    auto step = life_.steps.begin();
    const auto due = [this](const LifeStep& next) {
      return SteadyTime{next.at} <= clock_.steady_now() && (agent_ || !next.needs_berthd);
    };
    if (life_.taken_over) {
      folder_.files[life_.taken_over->metadata.name + ".json"] =
          api::to_json_text(*life_.taken_over);
      kubelet_leaves(*life_.taken_over);
    }
    begin_life();
    const SteadyTime over_at{life_.lasts};
    while (!over() && (clock_.steady_now() < over_at || !agent_)) {
      while (step != life_.steps.end() && due(*step)) (step++)->act(*this);
      drain();
      SteadyTime next = over_at;
      if (step != life_.steps.end() && SteadyTime{step->at} > clock_.steady_now())
        next = std::min(next, SteadyTime{step->at});
      if (!agent_) next = returns_;
      // Time passes to each deadline separately: berthd may be killed at any of them.
      if (!over()) pass_until(std::min(next, clock_.next_deadline().value_or(next)));
      if (!over() && !agent_ && clock_.steady_now() >= returns_) begin_life();
    }
    while (!over() && step != life_.steps.end()) (step++)->act(*this);
    counts_ = false;
    if (!over()) mend_everything();
    if (!over()) pass_until(clock_.steady_now() + kTimeToSettle);
    check_settled(std::to_string(settings_));
    LifeOutcome outcome{.handlers = handlers_, .writing = writing_};
    outcome.outcome = end();
    return outcome;
  }

 private:
  void begin_life() {
    // A step may end a life of berthd as well: the next one's instants follow those.
    if (!std::exchange(ended_, false)) handlers_ = 0;
    counts_ = true;
    start_agent();
  }

  void handled() override {
    if (!counts_ || !agent_) return;
    ++handlers_;
    if (cuts_done_ == cuts_.size() || handlers_ < cuts_[cuts_done_].after) return;
    counts_ = false;
    writing_ = store_.writing();
    returns_ = clock_.steady_now() + kAway;
    kill_agent(cuts_[cuts_done_++].written);
  }

  void write(const api::Pod& pod) override { write_as(pod.metadata.name, pod); }
  void write_as(const std::string& file, const api::Pod& pod) override {
    say("manifest " + file + " is written");
    folder_.files[file + ".json"] = api::to_json_text(pod);
    folder_changed();
  }
  void remove(const std::string& file) override {
    say("manifest " + file + " is removed");
    folder_.files.erase(file + ".json");
    folder_changed();
  }
  void write_settings() override {
    api::ConfigMap map{.kind = "ConfigMap", .apiVersion = "v1"};
    map.metadata = {.name = kSettings, .namespace_ = "default"};
    map.data[kSettingsKey] = std::to_string(++settings_);
    say(fmt::format("the ConfigMap is written, version {}", settings_));
    folder_.files[kSettingsFile] = api::to_json_text(map);
    folder_changed();
  }
  [[nodiscard]] PodPtr shown(const std::string& name) const {
    const auto full = fmt::format("{}-{}", name, kNodeName);
    for (const PodPtr& pod : agent_->pods().snapshot())
      if (pod->metadata.name == full) return pod;
    return nullptr;
  }
  void delete_pod(const std::string& name, std::optional<seconds> grace) override {
    if (const PodPtr pod = shown(name)) order_end(*pod, grace);
  }
  void set_condition(const std::string& name, const std::string& type,
                     const std::string& status) override {
    if (const PodPtr pod = shown(name)) order_condition(*pod, {.type = type, .status = status});
  }
  void container_ends(const std::string& container, std::int32_t code) override {
    for (const auto& instance : runtime_.instances())
      if (instance.live() && instance.name == container)
        return runtime_.container_ends(instance.id, code);
  }
  void sandbox_dies() override {
    for (const auto& sandbox : runtime_.sandboxes())
      if (!sandbox.died) return runtime_.sandbox_dies(sandbox.id, false);
  }
  void runtime_is_down(bool down) override {
    disturbances().trouble();
    if (down)
      runtime_.go_down();
    else
      runtime_.come_up();
  }
  void disk_is_full(bool full) override {
    say(full ? "the disk is full" : "the disk is well again");
    store_.set_full(full);
  }
  void machine_reboots() override {
    end_life();
    go_off();
    runtime_.come_up();
  }
  void state_is_lost() override {
    end_life();
    lose_state(false, true);
  }
  void end_life() {
    if (!agent_) return;
    ended_ = true;
    kill_agent(true);
    returns_ = clock_.steady_now() + kAway;
  }

  const ShortLife& life_;
  const std::vector<Cut> cuts_;
  std::size_t cuts_done_ = 0;
  std::uint64_t handlers_ = 0;
  bool counts_ = false;
  bool writing_ = false;
  bool ended_ = false;
  SteadyTime returns_{};
  int settings_ = 0;  // the ConfigMap's version
};

}  // namespace

LifeOutcome run_life(const ShortLife& life, const std::vector<Cut>& cuts, Trace::Sink sink) {
  ShortLifeRun run(life, cuts, std::move(sink));
  return run.run();
}

}  // namespace berth::simulation
