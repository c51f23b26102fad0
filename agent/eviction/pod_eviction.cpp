// SPDX-License-Identifier: Apache-2.0

#include "agent/eviction/pod_eviction.hpp"

#include <utility>

#include "eviction/pressure_admission.hpp"

namespace berth::agent {

PodEviction::PodEviction(Services services, const EvictionSettings& settings,
                         eviction::Rates fastest)
    : services_(std::move(services)),
      orders_(services_.executor, services_.clock, services_.pods),
      manager_({.executor = services_.executor,
                .clock = services_.clock,
                .readings = services_.readings,
                .orders = orders_,
                .reclaimer = services_.reclaimer,
                .reporter = services_.reporter,
                .looked = [this] { looked(); },
                .remembered = services_.remembered,
                // Disk uses that are walked more often are to be judged more often.
                .pods_every = settings.volume_period},
               settings.config, std::move(fastest)),
      recreate_(settings.recreate),
      tasks_(services_.executor, services_.on_failure) {}

void PodEviction::start() {
  tasks_.spawn("pods' ends", orders_.follow());
  tasks_.spawn("evicted pods' deadlines", orders_.report_late([this](const api::Pod& pod) {
    services_.reporter.exceeded_grace_period(pod);
  }));
  if (recreate_ == RecreateEvicted::kWhenPressureClears)
    tasks_.spawn(
        "evicted pods' return",
        orders_.bring_back([this] { return manager_.conditions().empty(); },
                           [this](const std::string& uid) { services_.reporter.comes_back(uid); }));
  tasks_.spawn("node reclaim", manager_.reclaim_on_node());
  tasks_.spawn("eviction", manager_.run());
}

boost::asio::awaitable<void> PodEviction::stop() {
  tasks_.request_stop();
  co_await tasks_.join();
}

void PodEviction::looked() {
  // Pods may be recreated once a condition has ended.
  if (std::exchange(had_conditions_, !manager_.conditions().empty()) &&
      manager_.conditions().empty())
    orders_.reconsider();
  if (services_.looked) services_.looked();
}

std::optional<lifecycle::Refusal> PodEviction::refusal(const api::Pod& pod) const {
  const auto& present = manager_.conditions();
  const auto verdict = eviction::admit_under_pressure({present.begin(), present.end()}, pod,
                                                      manager_.config().rules);
  if (verdict.admitted) return std::nullopt;
  return lifecycle::Refusal{.reason = verdict.reason, .message = verdict.message};
}

}  // namespace berth::agent
