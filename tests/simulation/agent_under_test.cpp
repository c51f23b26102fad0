#include "tests/simulation/agent_under_test.hpp"

#include <algorithm>

#include <fmt/core.h>

#include "node/node_object.hpp"
#include "tests/simulation/generator.hpp"

namespace berth::simulation {
namespace {

std::shared_ptr<const node::NodeView> node_view() {
  node::NodeConfig config;
  config.node_name = kNodeName;
  node::NodeFacts facts;
  facts.cpus = 4;
  facts.memory = std::int64_t{8} << 30;
  facts.ephemeral_storage = std::int64_t{64} << 30;
  facts.max_pids = 32768;
  facts.hostname = kNodeName;
  facts.architecture = "amd64";
  facts.addresses = {"192.168.7.1"};
  cri::DnsConfig dns{.servers = {"192.168.7.2"}};
  return std::make_shared<const node::NodeView>(node::make_node_view(config, facts, dns));
}

std::shared_ptr<const api::Node> node_object(const node::NodeView& view, const Clock& clock) {
  node::NodeObservations observed;
  observed.now = clock.wall_now();
  return std::make_shared<const api::Node>(node::node_object(view, observed, nullptr));
}

lifecycle::PodSetServices services_of(const AgentSetup& setup, cri::EventStream& stream,
                                      lifecycle::PodEvents& events, Log& log) {
  lifecycle::PodSetServices services;
  services.executor = setup.loop;
  services.clock = setup.clock;
  services.runtime = setup.runtime;
  services.images = setup.runtime;
  services.stream = &stream;
  services.host = setup.host;
  services.events = &events;
  services.sink = setup.sink;
  services.log = &log;
  services.incarnations = setup.incarnations;
  services.store = setup.store;
  services.boot_id = "one boot";
  services.node = node_view();
  services.node_object = node_object(*services.node, *setup.clock);
  services.on_failure = setup.on_failure;
  return services;
}

lifecycle::PodSetOptions options() {
  lifecycle::PodSetOptions options;
  options.node_name = kNodeName;
  return options;
}

}  // namespace

void TraceLog::write(LogLevel level, std::string_view event, std::string_view message,
                     const std::vector<LogField>& fields) {
  if (level == LogLevel::kDebug) return;
  const auto pod = std::ranges::find(fields, "POD_UID", &LogField::key);
  const auto container = std::ranges::find(fields, "CONTAINER", &LogField::key);
  trace_.line(clock_.steady_now(), "agent",
              fmt::format("{}{}{}: {}", pod == fields.end() ? "" : pod->value + " ",
                          container == fields.end() ? "" : container->value + " ", event, message));
}

void TraceEvents::record(const api::Pod& pod, const lifecycle::PodEvent& event) {
  trace_.line(
      clock_.steady_now(), "event",
      fmt::format("{} {} {}: {}", pod.metadata.uid, event.field_path, event.reason, event.message));
}

AgentUnderTest::AgentUnderTest(const AgentSetup& setup)
    : stream_(*setup.runtime),
      log_(*setup.trace, *setup.clock),
      events_(*setup.trace, *setup.clock),
      pods_(services_of(setup, stream_, events_, log_), options()) {
  pods_.start();
}

}  // namespace berth::simulation
