// SPDX-License-Identifier: Apache-2.0

// berthctl describe node [NAME]
#include <utility>

#include "ctl/command.hpp"
#include "ctl/evictions/eviction_text.hpp"
#include "ctl/node/describe_node.hpp"
#include "ctl/node/node_query.hpp"
#include "ctl/object_text.hpp"

namespace berth::ctl {
namespace {

namespace wire = control::v1;

Result<std::vector<api::Pod>> all_pods(Connection& agent) {
  wire::ListPodsRequest request;
  request.set_all_namespaces(true);
  wire::ListPodsReply reply;
  const auto context = agent.context();
  const grpc::Status status = agent.stub().ListPods(context.get(), request, &reply);
  if (!status.ok()) return fail(agent.explain(status));
  std::vector<api::Pod> pods;
  for (const auto& json : reply.pods_json()) {
    auto pod = pod_from(json);
    if (!pod) return std::unexpected(pod.error());
    pods.push_back(std::move(*pod));
  }
  return pods;
}

Result<std::vector<api::Event>> events_of_node(Connection& agent, const std::string& name) {
  wire::ListEventsRequest request;
  request.set_all_namespaces(true);
  wire::ListEventsReply reply;
  const auto context = agent.context();
  const grpc::Status status = agent.stub().ListEvents(context.get(), request, &reply);
  if (!status.ok()) return fail(agent.explain(status));
  std::vector<api::Event> events;
  for (const auto& json : reply.events_json()) {
    auto event = event_from(json);
    if (!event) return std::unexpected(event.error());
    if (event->involvedObject.kind == "Node" && event->involvedObject.name == name)
      events.push_back(std::move(*event));
  }
  return events;
}

// A failure is no error: the rest is worth showing without it.
void fetch_pressure(Connection& agent, NodeStory& story) {
  wire::ExplainEvictionsReply reply;
  const auto context = agent.context();
  const grpc::Status status = agent.stub().ExplainEvictions(context.get(), {}, &reply);
  if (status.ok())
    story.pressure = pressure_rows(reply);
  else
    story.pressure_unknown = agent.explain(status).message;
}

}  // namespace

Outcome describe_nodes(Connection& agent, const std::vector<std::string>& names) {
  const auto json = fetch_node(agent);
  if (!json) return std::unexpected(json.error());
  auto node = meant_node(*json, names);
  if (!node) return std::unexpected(node.error());
  auto pods = all_pods(agent);
  if (!pods) return std::unexpected(pods.error());
  auto events = events_of_node(agent, node->metadata.name);
  if (!events) return std::unexpected(events.error());
  NodeStory story{.node = std::move(*node), .pods = std::move(*pods), .events = std::move(*events)};
  fetch_pressure(agent, story);
  print(describe_node(story, now()));
  return 0;
}

}  // namespace berth::ctl
