// SPDX-License-Identifier: Apache-2.0

#include "agent/eviction/linux_readings.hpp"

#include <algorithm>
#include <functional>
#include <utility>

#include "agent/eviction/pod_readings.hpp"
#include "node/cgroup_name.hpp"

namespace berth::agent {
namespace {

// The kubelet waits as long for statfs.
constexpr Nanoseconds kFileSystemPatience = std::chrono::seconds(2);
// Disks fill in minutes; the kubelet looks as often.
constexpr Nanoseconds kFileSystemsEvery = std::chrono::seconds(10);
// The runtime answers from memory.
constexpr Nanoseconds kRuntimePatience = std::chrono::seconds(2);
// In the background nobody waits for it.
constexpr Nanoseconds kStatisticsPatience = std::chrono::seconds(10);
// volumeStatsAggPeriod of zero switches walks off, not the runtime's statistics.
constexpr Nanoseconds kStatisticsEvery = std::chrono::minutes(1);

std::string pods_cgroup(const node::NodeConfig& config) {
  if (!config.cgroups_per_qos) return {};
  return node::cgroup_path(node::kubepods_cgroup(config.cgroup_root), config.cgroup_driver);
}

std::vector<std::string> walked_paths(const std::vector<PodPlaces>& pods) {
  std::vector<std::string> paths;
  for (const PodPlaces& pod : pods) {
    paths.push_back(pod.etc_hosts);
    for (const auto* list : {&pod.volumes, &pod.logs})
      for (const NamedPlace& place : *list) paths.push_back(place.path);
  }
  return paths;
}

}  // namespace

LinuxReadings::LinuxReadings(Services services, node::NodeConfig config, Nanoseconds volume_period,
                             std::string proc)
    : services_(std::move(services)),
      config_(std::move(config)),
      volume_period_(volume_period),
      cgroups_(std::make_shared<const MemoryCgroups>(config_.paths.cgroup_mount)),
      places_{.proc = std::move(proc), .pods_cgroup = pods_cgroup(config_)},
      uses_(services_.clock, services_.pool, volume_period),
      disks_bell_(services_.executor),
      node_fs_work_(services_.executor, services_.clock, services_.pool, services_.on_failure),
      image_fs_work_(services_.executor, services_.clock, services_.pool, services_.on_failure) {}

boost::asio::awaitable<void> LinuxReadings::stop() {
  co_await node_fs_work_.stop();
  co_await image_fs_work_.stop();
}

boost::asio::awaitable<void> LinuxReadings::measure_disks() {
  const Nanoseconds every =
      volume_period_ > Nanoseconds::zero() ? volume_period_ : kStatisticsEvery;
  SteadyTime ask_at = services_.clock.steady_now();
  for (;;) {
    if (services_.clock.steady_now() >= ask_at) {
      co_await ask_statistics(kStatisticsPatience);
      ask_at = services_.clock.steady_now() + every;
    }
    co_await uses_.step();
    const SteadyTime next = std::min(uses_.next_step().value_or(ask_at), ask_at);
    if (next > services_.clock.steady_now()) co_await disks_bell_.wait_until(services_.clock, next);
  }
}

boost::asio::awaitable<void> LinuxReadings::ask_statistics(Nanoseconds limit) {
  const Context context{.deadline = services_.clock.steady_now() + limit,
                        .log_prefix = "statistics"};
  const auto listed = co_await services_.statistics.list_container_statistics(context);
  if (!listed) co_return;  // what is known stands, with its age
  statistics_.clear();
  for (const cri::ContainerStatistics& one : *listed)
    if (!one.pod_uid.empty()) statistics_[one.pod_uid].push_back(one);
}

boost::asio::awaitable<std::optional<MeasuredFileSystem>> LinuxReadings::measure(FileSystemWork& by,
                                                                                 std::string path) {
  if (path.empty()) co_return std::nullopt;
  std::function<std::optional<MeasuredFileSystem>()> work =
      [path, now = services_.clock.wall_now()] { return measure_file_system(path, now); };
  const auto answered = co_await by.run("looking at the file system of " + path, std::move(work),
                                        kFileSystemPatience);
  co_return answered.value_or(std::nullopt);
}

boost::asio::awaitable<void> LinuxReadings::find_image_file_system() {
  const Context context{.deadline = services_.clock.steady_now() + kRuntimePatience,
                        .log_prefix = "images"};
  const auto store = co_await services_.images.image_store(context);
  if (store) image_mountpoint_ = store->mountpoint;
}

// The layout is found once, as in the kubelet; a runtime that moves its images is restarted, and
// so is berthd then. Images on the node's own file system are measured with it.
// Whoever asks meanwhile gets what was measured last, with its time.
boost::asio::awaitable<void> LinuxReadings::measure_file_systems() {
  if (measuring_.lock()) co_return;
  const auto measuring = std::make_shared<bool>();
  measuring_ = measuring;
  file_systems_.at = services_.clock.steady_now();
  if (image_mountpoint_.empty()) co_await find_image_file_system();
  file_systems_.node = co_await measure(node_fs_work_, config_.paths.root);
  if (layout_ == eviction::FileSystemLayout::kSingle)
    file_systems_.images = file_systems_.node;
  else
    file_systems_.images = co_await measure(image_fs_work_, image_mountpoint_);
  const auto& [node, images, at] = file_systems_;
  if (layout_ || !node || !images) co_return;
  layout_ = eviction::find_layout({.node_fs = node->device, .image_fs = images->device});
}

boost::asio::awaitable<eviction::NodeReadings> LinuxReadings::node(Freshness freshness) {
  const SteadyTime now = services_.clock.steady_now();
  if (freshness == Freshness::kFresh || !file_systems_.at ||
      now - *file_systems_.at >= kFileSystemsEvery)
    co_await measure_file_systems();
  std::function<MachineReadings()> work = [cgroups = cgroups_, places = places_,
                                           wall = services_.clock.wall_now()] {
    return read_machine(*cgroups, places, wall);
  };
  MachineReadings machine =
      co_await services_.pool.run("reading what the machine uses", std::move(work));
  usage_ = {.root = machine.root_usage, .pods = machine.pods_usage};
  eviction::NodeReadings out = std::move(machine.node);
  if (file_systems_.node) out.node_fs = file_systems_.node->reading;
  if (file_systems_.images) out.image_fs = file_systems_.images->reading;
  // The kubelet has the same values for both where the runtime is asked over CRI.
  out.container_fs = out.image_fs;
  co_return out;
}

boost::asio::awaitable<eviction::PodReadings> LinuxReadings::pods(PodList pods, PodDetail detail) {
  if (!cgroups_->visible()) co_await ask_statistics(kRuntimePatience);
  std::vector<PodPlaces> places;
  for (const auto& pod : pods) places.push_back(pod_places(config_, *pod));
  uses_.watch(walked_paths(places));
  disks_bell_.notify();
  using Memories = std::map<std::string, PodMemory>;
  std::function<Memories()> work = [cgroups = cgroups_, places, detail] {
    return read_pod_memory(*cgroups, places, detail);
  };
  const Memories memories = co_await services_.pool.run("reading what pods use", std::move(work));
  const UsedByPath used = [this](const std::string& path) -> std::optional<eviction::UsedSpace> {
    const auto measured = uses_.of(path);
    return measured ? std::optional(measured->used) : std::nullopt;
  };
  eviction::PodReadings out;
  for (std::size_t i = 0; i < pods.size(); ++i) {
    const std::string& uid = places[i].uid;
    const auto memory = memories.find(uid);
    const auto statistics = statistics_.find(uid);
    eviction::PodReading reading =
        pod_reading(*pods[i], places[i], memory == memories.end() ? PodMemory{} : memory->second,
                    statistics == statistics_.end() ? Statistics{} : statistics->second, used);
    if (reading != eviction::PodReading{}) out.emplace(uid, std::move(reading));
  }
  co_return out;
}

}  // namespace berth::agent
