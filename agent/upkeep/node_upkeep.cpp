// SPDX-License-Identifier: Apache-2.0

#include "agent/upkeep/node_upkeep.hpp"

#include <utility>

#include "agent/node_settings.hpp"

namespace berth::agent {

NodeUpkeep::NodeUpkeep(Services services, const Settings& settings)
    : services_(std::move(services)),
      settings_(settings),
      logs_({.executor = services_.executor,
             .clock = services_.clock,
             .log = services_.log,
             .pool = services_.pool,
             .runtime = services_.runtime,
             .on_failure = services_.on_failure},
            services_.node->config.paths,
            {.policy = log_rotation_policy(settings),
             .interval = settings.pods.log_look_period,
             .workers = settings.pods.log_workers}),
      images_({.clock = services_.clock,
               .log = services_.log,
               .pool = services_.pool,
               .runtime = services_.runtime,
               .images = services_.runtime,
               .events = services_.events,
               .ledger = &services_.store,
               .node = services_.node->config.node_name,
               .wanted = [this] { return wanted_images(services_.pods.snapshot()); },
               .measure = image_file_system},
              image_gc_policy(settings), settings.images.period),
      eviction_({.executor = services_.executor,
                 .clock = services_.clock,
                 .log = services_.log,
                 .pool = services_.pool,
                 .runtime_images = services_.runtime,
                 .statistics = services_.runtime,
                 .pods = services_.pods,
                 .images = images_,
                 .events = services_.events,
                 .ledger = services_.store,
                 .store = services_.store,
                 .node_state = services_.node_state,
                 .node = services_.node,
                 .on_failure = services_.on_failure},
                settings.eviction),
      logind_(services_.executor, services_.clock,
              {.who = "berthd", .why = "berthd needs time to handle node shutdown"}),
      shutdown_times_(services_.store),
      shutdown_journal_(
          {.clock = services_.clock,
           .log = services_.log,
           .events = services_.events,
           .ledger = &services_.store,
           .show =
               [this](bool shutting_down) {
                 services_.node_state.set_shutting_down(shutting_down);
               },
           .keep = [this](const ShutdownTimes& times) { shutdown_times_.keep(times); }}),
      shutdown_({.executor = services_.executor,
                 .clock = services_.clock,
                 .pods = services_.pods,
                 .login = logind_,
                 .reporter = shutdown_journal_,
                 .on_failure = services_.on_failure},
                settings.shutdown) {
  services_.pods.set_pressure(&eviction_.gate());
}

void NodeUpkeep::begin(TaskGroup& tasks) {
  if (settings_.pods.log_max_bytes >= 0)
    tasks.spawn("log rotation", logs_.run(services_.pods.watch()));
  tasks.spawn("image collection", images_.run());
  tasks.spawn("the last shutdown", restore_shutdown_times());
  if (!settings_.shutdown.groups.empty()) tasks.spawn("systemd-logind", logind_.run());
}

void NodeUpkeep::start() {
  eviction_.start();
  shutdown_.start();
}

boost::asio::awaitable<void> NodeUpkeep::stop() {
  co_await shutdown_.stop();
  co_await eviction_.stop();
}

// Times that cannot be read are missing from /metrics, and nowhere else.
boost::asio::awaitable<void> NodeUpkeep::restore_shutdown_times() {
  auto recalling = shutdown_times_.recall();
  if (const auto earlier = co_await std::move(recalling)) shutdown_journal_.restore_times(*earlier);
}

void NodeUpkeep::write_metrics(std::string& out) const {
  eviction_.journal().metrics().write(out);
  agent::write_metrics(shutdown_journal_.times(), out);
  images_.write_metrics(out);
}

}  // namespace berth::agent
