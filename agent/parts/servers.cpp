// SPDX-License-Identifier: Apache-2.0

#include "agent/parts/servers.hpp"

#include <cstdint>
#include <utility>

#include "agent/agent_state.hpp"
#include "agent/serve/probe_metrics.hpp"

namespace berth::agent {

Result<bool> Servers::listen(std::function<ControlSources()> sources) {
  if (process_.settings.http.port > 0) {
    auto listening = listen_for_http(sources);
    if (!listening) return listening;
  }
  auto control = ControlServer::listen(process_.grpc_queue, sources(), process_.on_failure);
  if (!control) return fail(control.error());
  control_ = std::move(*control);
  return true;
}

Result<bool> Servers::listen_for_http(const std::function<ControlSources()>& sources) {
  HttpSources shown{
      .pods_json = [sources] { return pod_list_json(sources().pods); },
      .metrics = [this] { return metrics_.text(); },
      .probe_metrics =
          [this, sources] {
            return probe_metrics_text(sources().pods.prober().views(), process_.started_at);
          },
      .health = [this, sources] { return health_checks(health_input(sources(), process_.beat)); }};
  const auto& http = process_.settings.http;
  auto listening = HttpServer::listen(process_.executor(), process_.clock, http.address,
                                      static_cast<std::uint16_t>(http.port), std::move(shown),
                                      process_.on_failure);
  if (!listening) return fail(listening.error());
  http_ = std::move(*listening);
  return true;
}

void Servers::start() {
  if (http_) http_->start();
}

boost::asio::awaitable<void> Servers::stop() {
  if (control_) co_await control_->stop();
  if (http_) co_await http_->stop();
}

std::string Servers::http_address() const {
  return http_ ? process_.settings.http.address + ":" + std::to_string(http_->port()) : "";
}

}  // namespace berth::agent
