// SPDX-License-Identifier: Apache-2.0

#include "agent/eviction/linux_readings.hpp"

#include <algorithm>
#include <functional>
#include <utility>

#include "agent/eviction/pod_readings.hpp"
#include "eviction/local_storage.hpp"
#include "node/cgroups/cgroup_name.hpp"

namespace berth::agent {
namespace {

// The kubelet waits as long for statfs. A cheap look does not: memory is measured after it.
constexpr Nanoseconds kFileSystemPatience = std::chrono::seconds(2);
constexpr Nanoseconds kCheapFileSystemPatience = std::chrono::milliseconds(20);
// Disks fill in minutes; the kubelet looks as often.
constexpr Nanoseconds kFileSystemsEvery = std::chrono::seconds(10);
// How long the last answer of a busy disk is used while it does not answer again. No pod is evicted
// by a reading that old, but grace periods and conditions continue.
constexpr Nanoseconds kFileSystemAllowance = 3 * kFileSystemsEvery;
// The runtime answers from memory.
constexpr Nanoseconds kRuntimePatience = std::chrono::seconds(2);
// Nothing waits for it in the background.
constexpr Nanoseconds kStatisticsPatience = std::chrono::seconds(10);
// For walks that a caller waits for: as long as for a file system.
constexpr Nanoseconds kWalksPatience = std::chrono::seconds(2);
// Logs and writable layers, where volumeStatsAggPeriod disables the walks of volumes.
constexpr Nanoseconds kDisksEvery = std::chrono::minutes(1);

std::string pods_cgroup(const node::NodeConfig& config) {
  if (!config.cgroups_per_qos) return {};
  return node::cgroup_path(node::kubepods_cgroup(config.cgroup_root), config.cgroup_driver);
}

// volumeStatsAggPeriod disables the walks of volumes alone.
std::vector<std::string> walked_paths(const std::vector<PodPlaces>& pods,
                                      Nanoseconds volume_period) {
  std::vector<std::string> paths;
  for (const PodPlaces& pod : pods) {
    paths.push_back(pod.etc_hosts);
    for (const NamedPlace& log : pod.logs) paths.push_back(log.path);
    if (volume_period <= Nanoseconds::zero()) continue;
    for (const NamedPlace& volume : pod.volumes) paths.push_back(volume.path);
  }
  return paths;
}

Nanoseconds disks_period(Nanoseconds volume_period) {
  return volume_period > Nanoseconds::zero() ? volume_period : kDisksEvery;
}

}  // namespace

LinuxReadings::LinuxReadings(Services services, node::NodeConfig config, Nanoseconds volume_period,
                             std::string proc)
    : services_(std::move(services)),
      config_(std::move(config)),
      volume_period_(volume_period),
      cgroups_(std::make_shared<const MemoryCgroups>(config_.paths.cgroup_mount)),
      places_{.proc = std::move(proc), .pods_cgroup = pods_cgroup(config_)},
      memory_glance_(places_.proc),
      machine_work_(services_.clock, services_.pool),
      uses_(services_.clock, services_.pool, disks_period(volume_period)),
      disks_bell_(services_.executor),
      node_fs_work_(services_.executor, services_.clock, services_.pool, services_.on_failure),
      image_fs_work_(services_.executor, services_.clock, services_.pool, services_.on_failure),
      walk_work_(services_.executor, services_.clock, services_.pool, services_.on_failure) {}

boost::asio::awaitable<void> LinuxReadings::stop() {
  co_await node_fs_work_.stop();
  co_await image_fs_work_.stop();
  co_await walk_work_.stop();
}

boost::asio::awaitable<void> LinuxReadings::measure_disks() {
  SteadyTime ask_at = services_.clock.steady_now();
  for (;;) {
    const bool asks = services_.clock.steady_now() >= ask_at;
    if (asks) {
      co_await ask_statistics(kStatisticsPatience);
      ask_at = services_.clock.steady_now() + disks_period(volume_period_);
    }
    const std::size_t walked = co_await uses_.step();
    if (asks || walked > 0) look_at_limits();
    const SteadyTime next = std::min(uses_.next_step().value_or(ask_at), ask_at);
    if (next > services_.clock.steady_now()) co_await disks_bell_.wait_until(services_.clock, next);
  }
}

boost::asio::awaitable<void> LinuxReadings::renew_disks(std::vector<std::string> paths) {
  co_await ask_statistics(kRuntimePatience);
  auto walking =
      uses_.renew(std::move(paths), services_.clock.steady_now() + kWalksPatience, walk_work_);
  co_await std::move(walking);
}

void LinuxReadings::remember_limited(const PodList& pods, const std::vector<PodPlaces>& places,
                                     bool all) {
  if (all) limited_.pods.clear();
  for (std::size_t i = 0; i < pods.size(); ++i)
    if (eviction::has_local_storage_limit(*pods[i]))
      limited_.pods.insert_or_assign(places[i].uid, std::pair(pods[i], places[i]));
}

// Reports a pod beyond its limit as soon as that is measured, and only once: while no limit is
// near, the manager measures pods only once a minute.
void LinuxReadings::look_at_limits() {
  std::set<std::string> exceed;
  for (const auto& [uid, limited] : limited_.pods) {
    const auto& [pod, places] = limited;
    if (file_systems_.layout &&
        eviction::exceeded_limit(*pod, reading(*pod, places, {}), *file_systems_.layout))
      exceed.insert(uid);
  }
  const bool news = !std::ranges::includes(limited_.reported, exceed);
  limited_.reported = std::move(exceed);
  if (news && services_.exceeded) services_.exceeded();
}

boost::asio::awaitable<void> LinuxReadings::ask_statistics(Nanoseconds limit) {
  const Context context{.deadline = services_.clock.steady_now() + limit};
  const auto listed = co_await services_.statistics.list_container_statistics(context);
  if (!listed) co_return;  // the last statistics remain, with their age
  statistics_ = {.at = services_.clock.steady_now()};
  for (const cri::ContainerStatistics& one : *listed)
    if (!one.pod_uid.empty()) statistics_.by_pod[one.pod_uid].push_back(one);
}

boost::asio::awaitable<LinuxReadings::AnsweredFileSystem> LinuxReadings::measure(
    FileSystemWork& by, std::string path, Freshness freshness, AnsweredFileSystem before) {
  if (path.empty()) co_return AnsweredFileSystem{};
  const bool waits = freshness == Freshness::kFresh || !before.measured;
  std::optional<std::optional<MeasuredFileSystem>> answer;
  if (!waits) answer = by.collect_late_result();
  if (!answer) {
    std::function<std::optional<MeasuredFileSystem>()> work =
        [path, now = services_.clock.wall_now()] { return measure_file_system(path, now); };
    auto running = by.run("looking at the file system of " + path, std::move(work),
                          waits ? kFileSystemPatience : kCheapFileSystemPatience);
    answer = co_await std::move(running);
  }
  const SteadyTime now = services_.clock.steady_now();
  if (answer) co_return AnsweredFileSystem{.measured = std::move(*answer), .at = now};
  co_return now - before.at <= kFileSystemAllowance ? std::move(before) : AnsweredFileSystem{};
}

boost::asio::awaitable<void> LinuxReadings::find_image_file_system() {
  const Context context{.deadline = services_.clock.steady_now() + kRuntimePatience};
  const auto store = co_await services_.images.image_store(context);
  if (store) file_systems_.mountpoint = store->mountpoint;
}

// The layout is found once, as in the kubelet; a runtime that moves its images is restarted, and so
// is berthd then. Images on the node's own file system are measured with it. A caller that asks
// meanwhile gets the last measurement, with its time.
boost::asio::awaitable<void> LinuxReadings::measure_file_systems(Freshness freshness) {
  if (file_systems_.measuring.lock()) co_return;
  const auto measuring = std::make_shared<bool>();
  file_systems_.measuring = measuring;
  file_systems_.at = services_.clock.steady_now();
  if (file_systems_.mountpoint.empty()) co_await find_image_file_system();
  auto measuring_node = measure(node_fs_work_, config_.paths.root, freshness, file_systems_.node);
  file_systems_.node = co_await std::move(measuring_node);
  if (file_systems_.layout == eviction::FileSystemLayout::kSingle) {
    file_systems_.images = file_systems_.node;
  } else {
    auto measuring_images =
        measure(image_fs_work_, file_systems_.mountpoint, freshness, file_systems_.images);
    file_systems_.images = co_await std::move(measuring_images);
  }
  const auto& node = file_systems_.node.measured;
  const auto& images = file_systems_.images.measured;
  if (file_systems_.layout || !node || !images) co_return;
  file_systems_.layout =
      eviction::find_layout({.node_fs = node->device, .image_fs = images->device});
}

boost::asio::awaitable<eviction::NodeReadings> LinuxReadings::node(Freshness freshness) {
  const SteadyTime now = services_.clock.steady_now();
  if (freshness == Freshness::kFresh || !file_systems_.at ||
      now - *file_systems_.at >= kFileSystemsEvery)
    co_await measure_file_systems(freshness);
  std::function<MachineReadings()> work = [cgroups = cgroups_, places = places_,
                                           wall = services_.clock.wall_now()] {
    return read_machine(*cgroups, places, wall);
  };
  MachineReadings machine =
      co_await machine_work_.run("reading what the machine uses", std::move(work));
  usage_ = {.root = machine.root_usage, .pods = machine.pods_usage};
  eviction::NodeReadings out = std::move(machine.node);
  if (const auto& node = file_systems_.node.measured) out.node_fs = node->reading;
  if (const auto& images = file_systems_.images.measured) out.image_fs = images->reading;
  // The kubelet has the same values for both where it queries the runtime over CRI.
  out.container_fs = out.image_fs;
  co_return out;
}

std::optional<std::int64_t> LinuxReadings::memory_in_use() const {
  return memory_glance_.in_use();
}

boost::asio::awaitable<eviction::PodReadings> LinuxReadings::pods(PodList pods, PodDetail detail) {
  std::vector<PodPlaces> places;
  for (const auto& pod : pods) places.push_back(pod_places(config_, *pod));
  std::vector<std::string> paths = walked_paths(places, volume_period_);
  const bool all = detail <= PodDetail::kPods;
  if (all)
    uses_.watch(paths);
  else
    uses_.watch_also(paths);
  remember_limited(pods, places, all);
  disks_bell_.notify();
  if (detail == PodDetail::kDisks)
    co_await renew_disks(std::move(paths));
  else if (!cgroups_->visible())
    co_await ask_statistics(kRuntimePatience);
  using Memories = std::map<std::string, PodMemory>;
  std::function<Memories()> work = [cgroups = cgroups_, places, detail] {
    return read_pod_memory(*cgroups, places, detail);
  };
  const Memories memories = co_await services_.pool.run("reading what pods use", std::move(work));
  eviction::PodReadings out;
  for (std::size_t i = 0; i < pods.size(); ++i) {
    const auto memory = memories.find(places[i].uid);
    eviction::PodReading one =
        reading(*pods[i], places[i], memory == memories.end() ? PodMemory{} : memory->second);
    if (one != eviction::PodReading{}) out.emplace(places[i].uid, std::move(one));
  }
  co_return out;
}

// Readings that are older than their allowance are missing.
eviction::PodReading LinuxReadings::reading(const api::Pod& pod, const PodPlaces& places,
                                            const PodMemory& memory) const {
  const UsedByPath used = [this](const std::string& path) -> std::optional<eviction::UsedSpace> {
    const auto measured = uses_.of(path);
    return measured ? std::optional(measured->used) : std::nullopt;
  };
  const auto known = statistics_.by_pod.find(places.uid);
  const bool counts = known != statistics_.by_pod.end() &&
                      services_.clock.steady_now() - statistics_.at <=
                          DiskUses::kPeriodsAllowed * disks_period(volume_period_);
  return pod_reading(pod, places, memory, counts ? known->second : Statistics{}, used);
}

}  // namespace berth::agent
