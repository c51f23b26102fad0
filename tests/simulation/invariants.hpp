// What must hold at every instant, checked as things happen.
//
// A Witness of the runtime's truth and the sink of every published status; the world tells it
// what was wished and ordered. The rules are worked out here from recorded facts alone, never by
// asking the code under test. The first violation ends the run.
//
// A pod uid can live more than once (the same manifest written again): a life ends when the pod
// set says that nothing is left of it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "base/clock.hpp"
#include "lifecycle/pod_events.hpp"
#include "tests/simulation/runtime_record.hpp"

namespace berth::simulation {

class SimulatedHost;
class SimulatedRuntime;

using lifecycle::PodPtr;

struct EndOrder {
  SteadyTime at{};
  std::chrono::seconds grace{};  // the one in effect: an override, or the pod's own
};

struct RestartWindow {
  Nanoseconds window{};
  SteadyTime last_start{};
};

struct PodHistory {
  PodPtr pod{};
  bool wished = false;
  bool may_run = true;     // false: unsupported or refused at admission
  bool spec_lost = false;  // the agent knows it from the runtime alone
  bool traceless = false;  // and the runtime has nothing of it
  std::size_t life = 0;    // instances before this index belong to earlier lives
  std::vector<EndOrder> orders{};
  std::vector<EndOrder> forgotten{};  // by a restart; a runtime may still be carrying them out
  std::string final_phase{};
  PodPtr shown{};
  std::map<std::string, RestartWindow> windows{};  // by container and image
  std::map<std::string, std::int32_t> restarts{};  // the highest count shown, by container
};

// What the agent knows of a pod at the moment when it is wished.
enum class AgentKnows : std::uint8_t { kNothingYet, kNoSuchPod, kThePod };

class Invariants final : public Witness, public lifecycle::StatusSink {
 public:
  explicit Invariants(Clock& clock) : clock_(clock) {}
  void look_at(const SimulatedRuntime& runtime, const SimulatedHost& host) {
    runtime_ = &runtime;
    host_ = &host;
  }

  // What the world does to the agent.
  void wished(const PodPtr& pod, bool may_run, AgentKnows agent);
  void ordered_to_end(const std::string& uid, std::optional<std::chrono::seconds> grace,
                      AgentKnows agent);
  void agent_restarted();

  // Witness
  void sandbox_created(const SandboxRecord& sandbox) override;
  void start_called(const Instance& instance) override;
  void started(const Instance& instance) override;
  void terminated(const Instance& instance) override;
  void killed(const Instance& instance, KillCause cause) override;

  // StatusSink
  void published(const PodPtr& pod) override;
  void removed(const PodPtr& pod) override;

  [[nodiscard]] const std::map<std::string, PodHistory>& pods() const { return pods_; }
  [[nodiscard]] const std::optional<std::string>& violation() const { return violation_; }
  void violated(std::string what);

  // The pod's instances of this life with that container name, oldest first.
  [[nodiscard]] std::vector<const Instance*> instances(const std::string& uid,
                                                       const std::string& name) const;

 private:
  PodHistory* history(const std::string& uid);
  void lose_spec(const std::string& uid, PodHistory& pod);
  [[nodiscard]] bool has_sandboxes(const std::string& uid) const;
  void check_policy(const PodHistory& pod, const Instance& instance);
  void check_backoff(PodHistory& pod, const Instance& instance);
  void check_order(const PodHistory& pod, const Instance& instance);
  [[nodiscard]] std::chrono::seconds grace_of(const PodHistory& pod, SteadyTime stop_began) const;
  [[nodiscard]] SteadyTime stop_began(const PodHistory& pod, const Instance& instance) const;

  Clock& clock_;
  const SimulatedRuntime* runtime_ = nullptr;
  const SimulatedHost* host_ = nullptr;
  std::map<std::string, PodHistory> pods_{};
  std::optional<std::string> violation_{};
};

// After faults have stopped and time has passed: what is shown is the truth, what is wished runs,
// what is not wished has left no trace. The first thing that is not so; none: settled.
[[nodiscard]] std::optional<std::string> unsettled(const Invariants& invariants,
                                                   const SimulatedRuntime& runtime,
                                                   const SimulatedHost& host, SteadyTime now,
                                                   const std::vector<PodPtr>& shown);

}  // namespace berth::simulation
