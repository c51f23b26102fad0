// SPDX-License-Identifier: Apache-2.0

#include "agent/service/reload_ports.hpp"

#include <utility>

#include "agent/journal_log.hpp"
#include "agent/node_settings.hpp"
#include "node/read_node_facts.hpp"
#include "systemd/notify.hpp"

namespace berth::agent {

namespace {

// What is allocatable follows evictionHard: the Node shows it, and the next pods are admitted by
// it.
void apply_eviction(const ReloadedParts& parts, const eviction::EvictionConfig& config) {
  parts.eviction.manager().set_config(config);
  auto view =
      std::make_shared<const node::NodeView>(under_thresholds(*parts.view, config.thresholds));
  if (*view == *parts.view) return;
  parts.view = std::move(view);
  parts.node_state.set_view(parts.view);
  parts.pods.set_node(parts.view, std::make_shared<const api::Node>(parts.node_state.node()));
}

}  // namespace

Reloading::Ports reload_ports(const Options& options, ReloadedParts parts) {
  return {.load = [options] { return read_settings(options); },
          .machine =
              [](const Settings& settings) {
                return node::read_node_facts(node_config(settings).paths);
              },
          .refusal = [parts](auto config) { return parts.eviction.refusal(std::move(config)); },
          .apply_eviction = [parts](const auto& config) { apply_eviction(parts, config); },
          .set_log_level = [parts](LogLevel level) { set_log_level(parts.log, level); }};
}

boost::asio::awaitable<void> reload_on_request(Reloading& reloading, ServiceLife& life,
                                               Clock& clock) {
  for (;;) {
    co_await life.reload_requested();
    if (life.is_ready()) systemd::notify_reloading(clock.steady_now());
    auto turn = reloading.reload();
    static_cast<void>(co_await std::move(turn));
    if (life.is_ready()) systemd::notify_ready();
  }
}

}  // namespace berth::agent
