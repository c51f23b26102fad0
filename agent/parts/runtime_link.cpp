// SPDX-License-Identifier: Apache-2.0

#include "agent/parts/runtime_link.hpp"

#include "systemd/slice_units.hpp"

namespace berth::agent {

RuntimeLink::RuntimeLink(Process& process)
    : tasks(process.executor(), process.on_failure),
      connection(
          cri::connect(process.executor(), {.runtime = process.settings.runtime.endpoint,
                                            .images = process.settings.runtime.image_endpoint})),
      driver(connection, process.settings, systemd::is_service_manager(), process.log),
      client(process.clock, connection, process.settings.runtime.request_timeout),
      events(process.clock, process.executor(), tasks, connection) {}

boost::asio::awaitable<void> RuntimeLink::stop() {
  tasks.request_stop();
  co_await tasks.join();
}

}  // namespace berth::agent
