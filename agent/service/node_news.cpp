// SPDX-License-Identifier: Apache-2.0

#include "agent/service/node_news.hpp"

#include <algorithm>

#include <fmt/format.h>

namespace berth::agent {

boost::asio::awaitable<void> NodeNews::report_for_ever() {
  const auto watch = services_.node.watch();
  for (;;) {
    report_runtime();
    report_readiness();
    if (services_.reported) services_.reported();
    co_await watch->changed();
  }
}

// Once ready, berthd stays ready: pods keep running without the runtime, and only new work waits
// for it.
void NodeNews::report_runtime() {
  if (services_.node.runtime_answers() == answered_) return;
  answered_ = !answered_;
  const std::string who = "the container runtime at " + services_.endpoint;
  if (answered_)
    services_.log.info("Ready", who + " answers again");
  else
    services_.log.warn("Waiting", "waiting for " + who + ": " + services_.node.runtime_error() +
                                      "; pods go on running");
}

void NodeNews::report_readiness() {
  const api::Node& node = services_.node.node();
  const auto condition =
      std::ranges::find(node.status.conditions, "Ready", &api::NodeCondition::type);
  if (condition == node.status.conditions.end()) return;
  const bool ready = condition->status == "True";
  if (ready == ready_) return;
  ready_ = ready;
  const std::string reason = ready ? "NodeReady" : "NodeNotReady";
  services_.events.record_node(
      false, reason, fmt::format("Node {} status is now: {}", node.metadata.name, reason));
  // A runtime that does not answer has been reported already.
  if (!ready && answered_)
    services_.log.warn("Waiting", "the node is not ready: " + condition->message);
}

}  // namespace berth::agent
