// SPDX-License-Identifier: Apache-2.0

#include "tests/simulation/housekeeping.hpp"

#include "tests/simulation/container_logs.hpp"
#include "tests/simulation/generator.hpp"

namespace berth::simulation {
namespace {

using std::chrono::seconds;

// Images are removed by their age.
constexpr node::ImageGcPolicy kImages{
    .high_percent = 100, .low_percent = 99, .min_age = seconds(2), .max_age = seconds(15)};
constexpr seconds kRound{10};

Result<node::ImageFileSystem> half_full(const std::string& /*mountpoint*/) {
  constexpr std::int64_t kCapacity = 100'000'000'000;
  return node::ImageFileSystem{.capacity = kCapacity, .available = kCapacity / 2};
}

}  // namespace

Housekeeping::Housekeeping(const Setup& setup)
    : pool_(setup.loop, setup.clock, {}),
      events_(setup.loop, setup.clock, setup.log, kNodeName),
      images_({.clock = setup.clock,
               .log = setup.log,
               .pool = pool_,
               .runtime = setup.runtime,
               .images = setup.runtime,
               .events = events_,
               .ledger = setup.ledger,
               .node = kNodeName,
               .wanted = [pods = &setup.pods] { return agent::wanted_images(pods->snapshot()); },
               .measure = half_full},
              kImages, kRound),
      logs_({.executor = setup.loop,
             .clock = setup.clock,
             .log = setup.log,
             .pool = pool_,
             .runtime = setup.runtime,
             .on_failure = setup.on_failure},
            node::NodePaths{.pod_logs = setup.logs_folder},
            {.policy = ContainerLogs::policy(), .interval = kRound}),
      tasks_(setup.loop, setup.on_failure) {
  tasks_.spawn("image collection", images_.run());
  tasks_.spawn("log rotation", logs_.run(setup.pods.watch()));
}

boost::asio::awaitable<void> Housekeeping::stop() {
  tasks_.request_stop();
  co_await tasks_.join();
}

}  // namespace berth::simulation
