// SPDX-License-Identifier: Apache-2.0

// A pod set in the simulation's fake world, without faults and without a manifest folder: a test
// sets the desired pods itself.
#pragma once

#include <memory>

#include "agent/admission/node_admission.hpp"
#include "lifecycle/pods/pod_set.hpp"
#include "node/node_object.hpp"
#include "tests/simulation/agent_under_test.hpp"
#include "tests/simulation/runtime/simulated_event_stream.hpp"
#include "tests/simulation/simulated_handlers.hpp"

namespace berth::lifecycle {

class WarningLog final : public Log {
 public:
  std::vector<std::string> warnings{};  // "EVENT: message"
  std::vector<std::string> logged{};    // "warn EVENT: message", "info …"

 private:
  void put(const LogLine& line) override {
    std::string text = std::string(line.event) + ": " + std::string(line.message);
    logged.push_back((line.level >= LogLevel::kWarn ? "warn " : "info ") + text);
    if (line.level >= LogLevel::kWarn) warnings.push_back(std::move(text));
  }
};

class NoEvents final : public PodEvents {
 public:
  void record(const api::Pod& /*pod*/, const PodEvent& /*event*/) override {}
};

struct BareNode {
  std::map<std::string, std::string> labels{};
  std::vector<api::Taint> taints{};
  std::int64_t cpus = 4;
};

// Set by the test; everything here outlives the agent.
struct BareWorld {
  boost::asio::any_io_executor loop{};
  Clock* clock = nullptr;
  simulation::SimulatedRuntime* runtime = nullptr;
  simulation::SimulatedHost* host = nullptr;
  simulation::SimulatedStore* store = nullptr;
  StatusSink* sink = nullptr;
  IncarnationSource* incarnations = nullptr;
  TaskGroup::FailureHandler on_failure{};
  std::int64_t terminated_pods_kept = kTerminatedPodGcThreshold;
  Ledger* ledger = nullptr;
  InHand* in_hand = nullptr;
  PodSetOptions options{};  // except for what is set here
  BareNode node{};
  scheduling::SchedulerSettings scheduler{};
  PodEvents* events = nullptr;  // null if nobody receives them
};

class BareAgent {
 public:
  explicit BareAgent(const BareWorld& world)
      : stream_(*world.runtime),
        handlers_(*world.clock, *world.runtime),
        admission_(world),
        pods_(services(world), options(world)) {
    pods_.start();
  }

  [[nodiscard]] PodSet& pods() { return pods_; }
  [[nodiscard]] agent::NodeAdmission& admission() { return admission_.admission; }
  [[nodiscard]] scheduling::BudgetBook& budgets() { return admission_.budgets; }
  // "EVENT: message", in order.
  [[nodiscard]] const std::vector<std::string>& warnings() const { return log_.warnings; }
  // Lines of every level: "warn EVENT: message".
  [[nodiscard]] const std::vector<std::string>& logged() const { return log_.logged; }

 private:
  static PodSetOptions options(const BareWorld& world) {
    PodSetOptions options = world.options;
    options.node_name = "node1";
    options.terminated_pods_kept = world.terminated_pods_kept;
    return options;
  }

  static std::shared_ptr<const node::NodeView> node_view(const BareWorld& world) {
    node::NodeConfig config;
    config.node_name = "node1";
    config.node_labels = world.node.labels;
    config.node_taints = world.node.taints;
    node::NodeFacts facts;
    facts.cpus = world.node.cpus;
    facts.memory = std::int64_t{8} << 30;
    facts.ephemeral_storage = std::int64_t{64} << 30;
    facts.max_pids = 32768;
    facts.hostname = "node1";
    facts.architecture = "amd64";
    facts.addresses = {"192.168.7.1"};
    return std::make_shared<const node::NodeView>(
        node::make_node_view(config, facts, {.servers = {"192.168.7.2"}}));
  }

  PodSetServices services(const BareWorld& world) {
    PodSetServices services;
    services.executor = world.loop;
    services.clock = world.clock;
    services.runtime = world.runtime;
    services.images = world.runtime;
    services.stream = &stream_;
    services.host = world.host;
    services.handlers = &handlers_;
    services.events = world.events != nullptr ? world.events : &events_;
    services.sink = world.sink;
    services.log = &log_;
    services.incarnations = world.incarnations;
    services.store = world.store;
    services.ledger = world.ledger;
    services.in_hand = world.in_hand;
    services.node = admission_.view;
    services.admission = &admission_.admission;
    services.on_failure = world.on_failure;
    return services;
  }

  simulation::SimulatedEventStream stream_;
  simulation::SimulatedHandlers handlers_;
  WarningLog log_;
  NoEvents events_;
  // Admission with the default scheduler.
  struct Admitting {
    explicit Admitting(const BareWorld& world)
        : view(node_view(world)),
          admission(world.scheduler, budgets, view,
                    std::make_shared<const api::Node>(
                        node::node_object(*view, {.now = world.clock->wall_now()}, nullptr))) {}
    scheduling::BudgetBook budgets{};
    std::shared_ptr<const node::NodeView> view;
    agent::NodeAdmission admission;
  };
  Admitting admission_;
  PodSet pods_;
};

}  // namespace berth::lifecycle
