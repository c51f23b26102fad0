// SPDX-License-Identifier: Apache-2.0

#include "agent/eviction/node_eviction.hpp"

#include <algorithm>
#include <chrono>
#include <utility>

#include <fmt/format.h>

#include "agent/eviction/reload_check.hpp"
#include "eviction/trend.hpp"
#include "node/image_gc.hpp"

namespace berth::agent {
namespace {

using eviction::Signal;

// How much a processor can fill or begin in a second, assumed before this machine has been
// measured: a GiB of memory, ten thousand tasks. Too high a value costs looks, too low a value
// costs the node.
constexpr double kMemoryByProcessor = 1 << 30;
constexpr double kTasksByProcessor = 10'000;
// For a disk: nothing slower than a good NVMe is assumed, and no more files than one writer
// creates.
constexpr double kDiskBytes = 2.0 * (1 << 30);
constexpr double kDiskInodes = 50'000;

// A reclaim waits no longer for pods' workers, which may be in a call to the runtime.
constexpr Nanoseconds kCollectionPatience = std::chrono::seconds(10);

eviction::Rates fastest_here(std::int64_t processors) {
  const auto count = static_cast<double>(std::max<std::int64_t>(processors, 1));
  return {{Signal::kMemoryAvailable, count * kMemoryByProcessor},
          {Signal::kAllocatableMemoryAvailable, count * kMemoryByProcessor},
          {Signal::kMemoryAvailableWithCache, count * kMemoryByProcessor},
          {Signal::kAllocatableMemoryAvailableWithCache, count * kMemoryByProcessor},
          {Signal::kPidAvailable, count * kTasksByProcessor},
          {Signal::kNodeFsAvailable, kDiskBytes},
          {Signal::kImageFsAvailable, kDiskBytes},
          {Signal::kContainerFsAvailable, kDiskBytes},
          {Signal::kNodeFsInodesFree, kDiskInodes},
          {Signal::kImageFsInodesFree, kDiskInodes},
          {Signal::kContainerFsInodesFree, kDiskInodes}};
}

// How much more may be used until the nearest threshold of that signal is met.
std::optional<std::int64_t> nearest(const std::vector<eviction::JudgedThreshold>& thresholds,
                                    Signal signal) {
  std::optional<std::int64_t> least;
  for (const auto& judged : thresholds) {
    const auto left = judged.threshold.signal == signal ? eviction::headroom(judged) : std::nullopt;
    if (!left || *left < 0) continue;
    const auto room = static_cast<std::int64_t>(*left);
    least = std::min(least.value_or(room), room);
  }
  return least;
}

std::optional<std::int64_t> level(const std::optional<std::int64_t>& usage,
                                  const std::optional<std::int64_t>& room) {
  if (!usage || !room) return std::nullopt;
  return *usage + *room;
}

}  // namespace

NodeEviction::NodeEviction(Services services, const EvictionSettings& settings)
    : services_(std::move(services)),
      readings_({.executor = services_.executor,
                 .clock = services_.clock,
                 .pool = services_.pool,
                 .images = services_.runtime_images,
                 .statistics = services_.statistics,
                 .exceeded = [this] { manager().judge_limits_soon(); },
                 .on_failure = services_.on_failure},
                services_.node->config, settings.volume_period),
      journal_(
          {.clock = services_.clock,
           .log = services_.log,
           .events = services_.events,
           .ledger = &services_.ledger,
           .node_name = services_.node->config.node_name,
           .show =
               [this](const auto& present) { return services_.node_state.set_pressure(present); }}),
      kept_(services_.store, services_.clock),
      pods_({.executor = services_.executor,
             .clock = services_.clock,
             .pods = services_.pods,
             .readings = readings_,
             .reclaimer = *this,
             .reporter = journal_,
             .looked = [this] { looked(); },
             .remembered = [this](const auto& sample) { kept_.remember(sample); },
             .on_failure = services_.on_failure},
            settings, fastest_here(services_.node->facts.cpus)),
      events_({.executor = services_.executor,
               .clock = services_.clock,
               .pool = services_.pool,
               .on_failure = services_.on_failure},
              readings_.cgroups(), readings_.places().pods_cgroup, readings_.places().proc,
              [this] { manager().look_soon(); }),
      aim_bell_(services_.executor),
      tasks_(services_.executor, services_.on_failure) {}

void NodeEviction::start() {
  tasks_.spawn("disk use", readings_.measure_disks());
  tasks_.spawn("pressure events", aim_for_ever());
  tasks_.spawn("pressure history", restore_history());
  pods_.start();
}

boost::asio::awaitable<void> NodeEviction::stop() {
  tasks_.request_stop();
  co_await tasks_.join();
  co_await pods_.stop();
  kept_.flush();
  co_await events_.stop();
  co_await readings_.stop();
}

boost::asio::awaitable<Result<std::optional<std::string>>> NodeEviction::refusal(
    eviction::EvictionConfig config) {
  auto under_new = manager().view(std::move(config));
  const EvictionView then = co_await std::move(under_new);
  auto under_old = manager().view();
  const EvictionView now = co_await std::move(under_old);
  co_return refused_thresholds(now.explanation, then.explanation);
}

boost::asio::awaitable<void> NodeEviction::aim_for_ever() {
  co_await events_.start();
  for (;;) {
    co_await aim_bell_.wait();
    co_await events_.aim(levels_);
  }
}

// Runs beside the first looks: a slow disk does not delay eviction.
boost::asio::awaitable<void> NodeEviction::restore_history() {
  auto recalling = kept_.recall();
  auto earlier = co_await std::move(recalling);
  if (!earlier) {
    services_.log.warn(
        "PressureHistoryLost",
        "the pressure history cannot be read, and starts empty: " + earlier.error().message);
    co_return;
  }
  if (earlier->left_out > 0)
    services_.log.warn("PressureHistoryLost",
                       fmt::format("{} of {} rows of the pressure history cannot be read; another "
                                   "version of berthd may have written them. berthctl evictions "
                                   "simulate replays the rest",
                                   earlier->left_out, earlier->left_out + earlier->samples.size()));
  manager().restore_history(std::move(earlier->samples));
}

void NodeEviction::looked() {
  const auto& thresholds = manager().standing();
  levels_ = {.root = level(readings_.usage().root, nearest(thresholds, Signal::kMemoryAvailable)),
             .pods = level(readings_.usage().pods,
                           nearest(thresholds, Signal::kAllocatableMemoryAvailable))};
  if (events_.would_aim(levels_)) aim_bell_.notify();
}

boost::asio::awaitable<void> NodeEviction::reclaim(eviction::NodeReclaim what) {
  switch (what) {
    case eviction::NodeReclaim::kDeadContainers:
      co_await services_.pods.collect_finished_pods(services_.clock.steady_now() +
                                                    kCollectionPatience);
      break;
    case eviction::NodeReclaim::kUnusedImages: {
      const auto freed = co_await services_.images.collect(node::ImageGcCause::kDiskPressure);
      if (!freed) services_.log.warn("ImageGCFailed", freed.error().message);
      break;
    }
  }
}

}  // namespace berth::agent
