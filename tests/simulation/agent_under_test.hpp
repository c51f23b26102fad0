// SPDX-License-Identifier: Apache-2.0

// The agent's logic as one life of berthd would hold it, wired to the fake world through a gate:
// the manifest folder's rules and the pod set.
//
// The constructor starts it. Either `stop` is awaited before it is destroyed, or it is killed: the
// gate is closed first, and `stop` then only takes its coroutines apart. Its log and events are
// written to the trace.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <boost/asio/any_io_executor.hpp>

#include "agent/admission/node_admission.hpp"
#include "agent/sources/manifest_folder.hpp"
#include "base/clock.hpp"
#include "base/log.hpp"
#include "base/task_group.hpp"
#include "lifecycle/pods/pod_set.hpp"
#include "tests/simulation/gated_world.hpp"
#include "tests/simulation/housekeeping.hpp"
#include "tests/simulation/pressure/eviction_under_test.hpp"
#include "tests/simulation/shutdown/shutdown_under_test.hpp"
#include "tests/simulation/simulated_handlers.hpp"
#include "tests/simulation/trace.hpp"

namespace berth::simulation {

using lifecycle::PodPtr;

class TraceLog final : public Log {
 public:
  TraceLog(Gate& gate, Trace& trace, const Clock& clock)
      : gate_(gate), trace_(trace), clock_(clock) {}

 private:
  void put(const LogLine& line) override;

  Gate& gate_;
  Trace& trace_;
  const Clock& clock_;
};

// Events are logged as well, which the trace shows.
class GatedEvents final : public lifecycle::PodEvents {
 public:
  GatedEvents(Gate& gate, lifecycle::PodEvents* events) : gate_(gate), events_(events) {}
  void record(const api::Pod& pod, const lifecycle::PodEvent& event) override {
    if (!gate_.closed() && events_ != nullptr) events_->record(pod, event);
  }

 private:
  Gate& gate_;
  lifecycle::PodEvents* events_;
};

// Reports to the checks which pods the agent wants to run.
class DesiredPodsListener {
 public:
  DesiredPodsListener() = default;
  DesiredPodsListener(const DesiredPodsListener&) = delete;
  DesiredPodsListener& operator=(const DesiredPodsListener&) = delete;
  virtual ~DesiredPodsListener() = default;

  // The whole set, before the pod set receives it.
  virtual void pods_desired(const std::vector<PodPtr>& pods) = 0;
  // `next` follows the ended one; null if none does.
  virtual void follows(const api::Pod& ended, const PodPtr& next) = 0;
  // The client that had the pod deleted, or the condition set, is notified that the store has it.
  virtual void deletion_stored(const std::string& uid) = 0;
  virtual void condition_stored(const std::string& uid, const api::PodCondition& condition) = 0;
};

struct AgentSetup {
  boost::asio::any_io_executor loop{};
  Clock* clock = nullptr;
  SimulatedRuntime* runtime = nullptr;
  SimulatedHost* host = nullptr;
  SimulatedStore* store = nullptr;
  Trace* trace = nullptr;
  lifecycle::StatusSink* sink = nullptr;
  DesiredPodsListener* listener = nullptr;
  ProbeListener* probes = nullptr;                            // may be null
  lifecycle::PodEvents* events = nullptr;                     // may be null
  lifecycle::Ledger* ledger = nullptr;                        // may be null
  const std::map<std::string, std::string>* files = nullptr;  // the manifest folder: name → text
  agent::LastGoodTexts* copies = nullptr;                     // the part of it that outlives berthd
  std::string zone{};                                         // a label of the node
  std::int32_t most_pods = 110;
  bool tainted = false;                     // the node, with kTaint
  std::int64_t terminated_pods_kept = 0;    // 0: all of them
  std::string logs_folder{};                // if empty, logs and images are left alone
  SimulatedResources* resources = nullptr;  // if null, no pod is evicted for lack of any
  PressureInvariants* pressure = nullptr;   // set if there are resources
  SimulatedLoginManager* login = nullptr;   // if null, nothing announces a shutdown
  ShutdownInvariants* shutdown = nullptr;   // set if there is a login manager
  TaskGroup::FailureHandler on_failure{};
};

class AgentUnderTest final : private lifecycle::IncarnationSource {
 public:
  explicit AgentUnderTest(const AgentSetup& setup);

  [[nodiscard]] lifecycle::PodSet& pods() { return pods_; }
  // The folder changed; has no effect before the agent knows its pods, as it reads the folder
  // later.
  void read_folder();
  // Orders as the control socket gives them; the listener is notified when the store has them.
  [[nodiscard]] bool delete_pod(const api::Pod& pod, std::optional<std::chrono::seconds> grace);
  // Set by pod name, as clients do: returns the uid of the pod that got it, which may be another
  // one of that name. Unset if none did.
  std::optional<std::string> set_condition(const api::Pod& pod, const api::PodCondition& condition);
  // From now on none of its calls reaches the world.
  void kill() { gate_.close(); }
  // Called before the two below, if it is asked to stop because the machine shuts down.
  [[nodiscard]] boost::asio::awaitable<void> carry_out_shutdown();
  // Called before `stop`, unless it was killed.
  [[nodiscard]] boost::asio::awaitable<void> finish_starts();
  [[nodiscard]] boost::asio::awaitable<void> stop();

 private:
  boost::asio::awaitable<void> recover();
  boost::asio::awaitable<void> begin_when_ready();
  boost::asio::awaitable<void> answer(std::string uid, std::optional<api::PodCondition> condition);
  PodPtr next_incarnation(const api::Pod& ended) override;
  [[nodiscard]] lifecycle::PodSetServices services(const AgentSetup& setup);

  Clock& clock_;
  DesiredPodsListener& listener_;
  Gate gate_;
  GatedRuntime runtime_;
  GatedEventStream stream_;
  GatedHost host_;
  SimulatedHandlers handlers_;
  GatedStore store_;
  GatedSink sink_;
  TraceLog log_;
  GatedEvents events_;
  struct Folder {
    const std::map<std::string, std::string>& files;
    agent::LastGoodTexts& copies;
    agent::ManifestFolder rules;
    bool recovered = false;
  };
  struct Admitting {
    explicit Admitting(const AgentSetup& setup);
    scheduling::BudgetBook budgets{};
    std::shared_ptr<const node::NodeView> view;
    agent::NodeAdmission admission;
  };
  Folder folder_;
  Admitting admitting_;
  lifecycle::PodSet pods_;
  TaskGroup tasks_;
  // Members that only some lives have.
  struct Extras {
    std::optional<Housekeeping> housekeeping{};
    std::optional<EvictionUnderTest> eviction{};
    std::optional<ShutdownUnderTest> shutdown{};
  };
  Extras extras_{};
};

}  // namespace berth::simulation
