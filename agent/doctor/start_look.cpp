// SPDX-License-Identifier: Apache-2.0

#include "agent/doctor/start_look.hpp"

#include <optional>
#include <utility>

#include "agent/node_settings.hpp"
#include "agent/serve/control_socket.hpp"
#include "node/read_node_facts.hpp"
#include "node/reserved/reserved_limits.hpp"

namespace berth::agent {
namespace {

// Why the limits of the machine's own processes could not be enforced.
std::optional<std::string> unenforceable(const node::ReservedEnforcement& enforcement,
                                         const node::NodeConfig& config,
                                         const node::NodeFacts& facts) {
  const auto cgroup = node::reserved_cgroup(enforcement, config);
  if (!cgroup) return node::limits_failed(enforcement, cgroup.error().message);
  std::vector<std::int64_t> page_sizes;
  for (const auto& pages : facts.huge_pages) page_sizes.push_back(pages.page_size);
  const node::CgroupTree tree(config.paths.cgroup_mount, facts.cgroup_version,
                              std::move(page_sizes));
  const auto found = node::find_cgroup(tree, *cgroup);
  if (!found) return node::limits_failed(enforcement, found.error().message);
  return std::nullopt;
}

}  // namespace

std::vector<std::string> look_at_start(const Settings& settings, node::CgroupDriver driver) {
  std::vector<std::string> obstacles;
  if (const auto obstacle =
          control_socket_obstacle(settings.paths.control_socket, settings.control_socket_group))
    obstacles.push_back(obstacle->message);
  node::NodeConfig config = node_config(settings);
  config.cgroup_driver = driver;
  // Without them there is no cgroup file system, which is a finding of its own.
  const auto facts = node::read_node_facts(config.paths);
  if (!facts) return obstacles;
  const auto allocatable = allocatable_on(settings, *facts);
  if (!allocatable) obstacles.push_back(allocatable.error().message);
  for (const node::ReservedEnforcement& enforcement : settings.reserved)
    if (auto obstacle = unenforceable(enforcement, config, *facts))
      obstacles.push_back(std::move(*obstacle));
  return obstacles;
}

}  // namespace berth::agent
