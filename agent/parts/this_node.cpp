// SPDX-License-Identifier: Apache-2.0

#include "agent/parts/this_node.hpp"

#include <utility>

#include "agent/node_settings.hpp"
#include "agent/systemd_slices.hpp"
#include "node/allocatable.hpp"
#include "node/read_node_facts.hpp"

namespace berth::agent {

Result<std::shared_ptr<const node::NodeView>> look_at_node(const Settings& settings,
                                                           node::CgroupDriver driver, Log& log) {
  auto config = node_config(settings);
  config.cgroup_driver = driver;
  auto facts = node::read_node_facts(config.paths);
  if (!facts) return fail(wrap("reading what this machine is", facts.error()));
  const auto allocatable = allocatable_on(settings, *facts);
  if (!allocatable) return fail(allocatable.error());
  auto dns = node::read_host_dns(config.paths);
  if (!dns)
    log.warn("ResolvConf",
             dns.error().message + "; pods get no name servers from it until it can be read");
  return std::make_shared<const node::NodeView>(
      node::make_node_view(std::move(config), node_facts(settings, std::move(*facts)),
                           dns ? std::move(*dns) : cri::DnsConfig{}));
}

ThisNode::ThisNode(Process& process, RuntimeLink& runtime, EventRecorder& events,
                   std::shared_ptr<const node::NodeView> seen)
    : view(std::move(seen)),
      slices(slices_for(view->config.cgroup_driver)),
      host(process.pool, process.clock, view, slices.get()),
      handlers(process.clock, runtime.client, process.grpc_queue),
      limits({process.clock, process.pool, events, host, slices.get()}, view,
             process.settings.reserved),
      state(process.executor(), process.clock, runtime.client, runtime.client, view) {}

}  // namespace berth::agent
