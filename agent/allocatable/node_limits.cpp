// SPDX-License-Identifier: Apache-2.0

#include "agent/allocatable/node_limits.hpp"

#include <chrono>
#include <utility>
#include <vector>

#include "node/reserved/reserved_limits.hpp"

namespace berth::agent {
namespace {

// The kubelet's interval: by then evictions may have made the limit possible.
constexpr Nanoseconds kAgainAfter = std::chrono::minutes(1);

node::CgroupTree tree_of(const node::NodeView& node) {
  std::vector<std::int64_t> page_sizes;
  for (const auto& pages : node.facts.huge_pages) page_sizes.push_back(pages.page_size);
  return {node.config.paths.cgroup_mount, node.facts.cgroup_version, std::move(page_sizes)};
}

}  // namespace

NodeLimits::NodeLimits(Services services, std::shared_ptr<const node::NodeView> node,
                       ReservedEnforcements reserved)
    : services_(services), node_(std::move(node)), reserved_(std::move(reserved)) {}

boost::asio::awaitable<Result<node::Nothing>> NodeLimits::prepare() {
  auto prepared = co_await services_.host.prepare_node();
  if (!prepared) co_return prepared;
  for (const node::ReservedEnforcement& enforcement : reserved_) {
    auto limited = co_await limit(enforcement);
    if (!limited) co_return limited;
  }
  co_return node::Nothing{};
}

boost::asio::awaitable<Result<node::Nothing>> NodeLimits::limit(
    node::ReservedEnforcement enforcement) {
  Work work = [node = node_, enforcement, slices = services_.slices]() -> Result<node::Nothing> {
    const auto cgroup = node::reserved_cgroup(enforcement, node->config);
    if (!cgroup) return fail(cgroup.error());
    return node::write_limits(tree_of(*node), *cgroup, slices, node->facts.cgroup_version);
  };
  auto limited =
      co_await services_.pool.run("limiting the cgroup " + enforcement.cgroup, std::move(work));
  if (!limited) {
    std::string message = node::limits_failed(enforcement, limited.error().message);
    services_.events.record_node(true, node::kReasonFailedNodeAllocatable, message);
    co_return fail(limited.error().code, std::move(message));
  }
  services_.events.record_node(false, node::kReasonNodeAllocatableEnforced,
                               node::limits_updated(enforcement));
  co_return node::Nothing{};
}

boost::asio::awaitable<void> NodeLimits::limit_pods() {
  for (;;) {
    const auto limited = co_await services_.host.limit_pods();
    if (limited) break;
    services_.events.record_node(true, node::kReasonFailedNodeAllocatable,
                                 node::pods_limit_failed(node_->config, limited.error().message));
    co_await services_.clock.sleep_until(services_.clock.steady_now() + kAgainAfter);
  }
  services_.events.record_node(false, node::kReasonNodeAllocatableEnforced,
                               node::kPodsLimitUpdated);
}

}  // namespace berth::agent
