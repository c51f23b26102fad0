// SPDX-License-Identifier: Apache-2.0

// The machine that berthd runs on: what it is, pods' files and cgroups on it, probes from it, and
// the Node object that stands for it.
//
// Loop thread only; everything passed in outlives it.
#pragma once

#include <memory>

#include "agent/allocatable/node_limits.hpp"
#include "agent/node_state.hpp"
#include "agent/parts/process.hpp"
#include "agent/parts/runtime_link.hpp"
#include "base/result.hpp"
#include "node/linux_host.hpp"
#include "node/node_config.hpp"
#include "node/slices/slices.hpp"
#include "probes/handlers.hpp"

namespace berth::agent {

// Reads what the machine is. Fails if a setting does not fit it, naming the setting.
[[nodiscard]] Result<std::shared_ptr<const node::NodeView>> look_at_node(const Settings& settings,
                                                                         node::CgroupDriver driver,
                                                                         Log& log);

struct ThisNode {
  ThisNode(Process& process, RuntimeLink& runtime, EventRecorder& events,
           std::shared_ptr<const node::NodeView> seen);
  ThisNode(const ThisNode&) = delete;
  ThisNode& operator=(const ThisNode&) = delete;
  ~ThisNode() = default;

  [[nodiscard]] std::shared_ptr<const api::Node> object() const {
    return std::make_shared<const api::Node>(state.node());
  }

  std::shared_ptr<const node::NodeView> view;  // replaced when the configuration is read again
  std::unique_ptr<node::Slices> slices;        // null if pods' cgroups are plain directories
  node::LinuxHost host;
  probes::NodeHandlers handlers;
  NodeLimits limits;
  NodeState state;
};

}  // namespace berth::agent
