// SPDX-License-Identifier: Apache-2.0

// The servers that answer callers: the control socket and, if configured, the HTTP port.
//
// Loop thread only; everything passed in outlives it.
#pragma once

#include <functional>
#include <memory>
#include <string>

#include "agent/metrics/metrics_page.hpp"
#include "agent/parts/process.hpp"
#include "agent/serve/control_server.hpp"
#include "agent/serve/control_sources.hpp"
#include "agent/serve/http_server.hpp"
#include "base/result.hpp"

namespace berth::agent {

class Servers {
 public:
  explicit Servers(Process& process) : process_(process) {}

  // A part's own metric families.
  void add_metrics(MetricsPage::Writer writer) { metrics_.add(std::move(writer)); }

  // `sources` is called anew for each answer that shows pods or health. Fails, naming the address,
  // if it is taken; then some of the servers may listen nevertheless, until `stop`.
  [[nodiscard]] Result<bool> listen(std::function<ControlSources()> sources);
  // The control socket answers once it listens; the HTTP port from here on.
  void start();
  [[nodiscard]] boost::asio::awaitable<void> stop();

  // "127.0.0.1:10255"; empty if there is no HTTP port.
  [[nodiscard]] std::string http_address() const;

 private:
  [[nodiscard]] Result<bool> listen_for_http(const std::function<ControlSources()>& sources);

  Process& process_;
  MetricsPage metrics_{};
  std::unique_ptr<HttpServer> http_{};
  std::unique_ptr<ControlServer> control_{};
};

}  // namespace berth::agent
