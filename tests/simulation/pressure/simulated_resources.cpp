// SPDX-License-Identifier: Apache-2.0

#include "tests/simulation/pressure/simulated_resources.hpp"

#include <algorithm>

#include "tests/simulation/pressure/binary_units.hpp"
#include "tests/simulation/runtime/simulated_runtime.hpp"

namespace berth::simulation {

using std::chrono::milliseconds;
using std::chrono::seconds;

namespace {

constexpr std::int64_t kMemory = 8 * kGi;
// The limit of all pods together.
constexpr std::int64_t kPodsMemory = kMemory - 3 * kGi / 2;
constexpr std::int64_t kDisk = 64 * kGi;
constexpr std::int64_t kInodes = 4'000'000;
constexpr std::int64_t kPids = 32768;
constexpr std::int64_t kAllTheTime = 1'000'000;
// The limit of a container's ephemeral storage, and the size of a log beyond it.
constexpr std::int64_t kStorageLimit = 16 * kGi;
constexpr std::int64_t kFullLog = 17 * kGi;
// How long berthd's readings keep file systems while no fresh reading is requested.
constexpr seconds kDiskEvery{10};
// … and the pods' disk use.
constexpr seconds kWalkEvery{60};

// The result is always the same for the same container.
std::int64_t amount(const std::string& id, std::string_view of, std::int64_t low,
                    std::int64_t high) {
  std::uint64_t mixed = 0;
  for (const char letter : id) mixed = mixed * 131 + static_cast<unsigned char>(letter);
  return Random(mixed).fork(of).between(low, high);
}

api::Quantity bytes(std::int64_t count) {
  return api::Quantity::from_int(count, api::Quantity::Format::kBinarySI);
}

// Beside the pods, a file system is filled by files of medium size.
eviction::FileSystemReading measure_disk(std::int64_t filled, std::int64_t pods,
                                         std::int64_t pods_inodes, WallTime time) {
  constexpr std::int64_t kBytesPerFile = kDisk / kInodes;
  return {.available = std::max<std::int64_t>(kDisk - filled - pods, 0),
          .capacity = kDisk,
          .inodes_free = std::max<std::int64_t>(kInodes - filled / kBytesPerFile - pods_inodes, 0),
          .inodes = kInodes,
          .time = time};
}

}  // namespace

std::int64_t Course::at(SteadyTime now) const {
  if (now >= until) return base;
  return level + per_second * std::chrono::duration_cast<milliseconds>(now - since).count() / 1000;
}

SimulatedResources::SimulatedResources(Clock& clock, const SimulatedRuntime& runtime,
                                       ResourcesSetup setup)
    : clock_(clock),
      runtime_(runtime),
      setup_(std::move(setup)),
      by_others_{.memory = {.base = setup_.random.between(1, 1536) * kMi},
                 .disk = {.base = setup_.random.between(4, 20) * kGi},
                 .images = {.base = setup_.random.between(1, 8) * kGi},
                 .pids = {.base = setup_.random.between(100, 2000)}} {}

Course& SimulatedResources::pick(std::int64_t& capacity) {
  const auto drawn = setup_.random.between(0, 12);
  const auto of = [&](std::int64_t whole, Course& course) -> Course& {
    capacity = whole;
    return course;
  };
  if (drawn < 6) return of(kMemory, by_others_.memory);
  if (drawn < 8) return of(kDisk, by_others_.disk);
  if (drawn < 10) return of(kDisk, by_others_.images);
  return drawn < 12 ? of(kPids, by_others_.pids) : of(kAllTheTime, by_others_.stalls);
}

void SimulatedResources::end_courses() {
  auto& [memory, stalls, disk, images, pids] = by_others_;
  for (Course* course : {&memory, &stalls, &disk, &images, &pids})
    course->until = clock_.steady_now();
}

std::string SimulatedResources::befall() {
  Random& random = setup_.random;
  const SteadyTime now = clock_.steady_now();
  const auto until = now + random.between(seconds(1), seconds(20));
  const auto drawn = random.between(0, 99);
  if (drawn < 45) {
    std::int64_t capacity = 0;
    Course& course = pick(capacity);
    // Rises to about where thresholds are, or right beyond.
    const std::int64_t level = capacity / 100 * random.between(55, 99);
    const bool fills = random.chance(500);
    const std::int64_t from = fills ? course.at(now) : level;
    const std::int64_t speed =
        fills ? std::max<std::int64_t>(level - from, 0) / random.between(2, 30) : 0;
    const auto ends = now + random.between(seconds(5), seconds(60));
    course = {.base = course.base, .level = from, .per_second = speed, .since = now, .until = ends};
    return fills ? "a resource of the machine fills" : "a resource of the machine is used at once";
  }
  if (drawn < 60) {
    end_courses();
    return "resources of the machine are free again";
  }
  if (drawn < 70) {
    SteadyTime Blind::*const which[] = {&Blind::memory, &Blind::disk, &Blind::images, &Blind::pids,
                                        &Blind::pods};
    blind_.*which[random.between(0, 4)] = until;
    return "something cannot be measured";
  }
  if (drawn < 80) {
    stale_until_ = until;
    return "readings are stale";
  }
  if (drawn < 90) {
    late_ = !late_;
    return late_ ? "readings take their time" : "readings come at once";
  }
  reclaimable_ = random.between(0, 8) * kGi;
  return "images are left that nobody uses";
}

void SimulatedResources::calm_down() {
  end_courses();
  blind_ = {};
  stale_until_ = {};
  late_ = false;
  reclaimable_ = 0;
  calm_ = true;
}

// Adds requests, and limits for a volume and for what containers store; depends on the order of
// manifests, not on their names.
void SimulatedResources::add_needs(api::Pod& pod) {
  Random& random = setup_.random;
  if (random.chance(500)) {
    for (auto& container : pod.spec.containers)
      container.resources.requests["memory"] = bytes(random.between(1, 4) * 48 * kMi);
  }
  if (random.chance(250)) {
    api::EmptyDirVolumeSource limited{.sizeLimit = bytes(16 * kMi)};
    pod.spec.volumes.push_back({.name = "limited", .emptyDir = limited});
  }
  for (auto& container : pod.spec.containers) {
    if (!random.chance(150)) continue;
    container.resources.limits["ephemeral-storage"] = bytes(kStorageLimit);
    container.resources.requests["ephemeral-storage"] = bytes(random.between(1, 4) * 128 * kMi);
  }
}

// A container's written data stays until it is removed.
void SimulatedResources::add_use(PodsUse& sum, const Instance& instance) {
  if (instance.removed) return;
  const std::string container = instance.id.str();
  sum.disk += amount(container, "disk", 0, 512) * kMi;
  sum.inodes += amount(container, "inodes", 0, 40'000);
  if (!instance.live()) return;
  sum.memory += amount(container, "memory", 8, 192) * kMi;
  sum.pids += amount(container, "pids", 1, 120);
}

SimulatedResources::PodsUse SimulatedResources::use_of(const std::string& uid) const {
  PodsUse use;
  for (const Instance& instance : runtime_.instances())
    if (instance.pod_uid == uid) add_use(use, instance);
  return use;
}

SimulatedResources::PodsUse SimulatedResources::use_of_all() const {
  PodsUse all;
  for (const Instance& instance : runtime_.instances()) add_use(all, instance);
  return all;
}

boost::asio::awaitable<void> SimulatedResources::take_time() {
  const auto most = late_ ? milliseconds(900) : milliseconds(3);
  co_await clock_.sleep_for(
      setup_.random.between(Nanoseconds(std::chrono::microseconds(50)), most));
}

eviction::MemoryReading SimulatedResources::measure_pods_memory(WallTime time) const {
  const Course& memory = by_others_.memory;
  const std::int64_t filled = std::max<std::int64_t>(memory.at(clock_.steady_now()), memory.base);
  const std::int64_t cached = (filled - memory.base) / 100 * setup_.percent_in_pods;
  const std::int64_t used = std::min(cached + use_of_all().memory, kPodsMemory);
  return {.available = kPodsMemory - used, .working_set = used, .limit = kPodsMemory, .time = time};
}

// Containers write to the file system of the images, if that is another one. Volumes and logs count
// against limits alone, and take up no room here.
void SimulatedResources::measure_disks(eviction::NodeReadings& out, WallTime time) {
  const SteadyTime now = clock_.steady_now();
  const PodsUse pods = use_of_all();
  const bool dedicated = has_dedicated_image_fs(setup_.layout);
  if (now >= blind_.disk)
    out.node_fs = measure_disk(by_others_.disk.at(now), dedicated ? 0 : pods.disk,
                               dedicated ? 0 : pods.inodes, time);
  if (!dedicated)
    out.image_fs = out.node_fs;
  else if (now >= blind_.images)
    out.image_fs = measure_disk(by_others_.images.at(now), pods.disk, pods.inodes, time);
  if (out.node_fs || out.image_fs) disk_measured_ = now;
}

std::int64_t SimulatedResources::memory_used(SteadyTime now) const {
  return std::min(by_others_.memory.at(now) + use_of_all().memory, kMemory);
}

std::optional<std::int64_t> SimulatedResources::memory_in_use() const {
  const SteadyTime now = clock_.steady_now();
  if (now < blind_.memory) return std::nullopt;
  return memory_used(now);
}

boost::asio::awaitable<eviction::NodeReadings> SimulatedResources::node(
    agent::Freshness freshness) {
  co_await take_time();
  const SteadyTime now = clock_.steady_now();
  const WallTime time = clock_.wall_now();
  if (last_ && now < stale_until_) co_return *last_;
  eviction::NodeReadings out;
  if (now >= blind_.memory) {
    const std::int64_t used = memory_used(now);
    out.memory = eviction::MemoryReading{
        .available = kMemory - used, .working_set = used, .limit = kMemory, .time = time};
    out.allocatable_memory = measure_pods_memory(time);
    out.own.memory_pressure =
        eviction::StallReading{.full_avg10 = by_others_.stalls.at(now), .time = time};
  }
  if (now >= blind_.pids)
    out.pids = eviction::PidReading{
        .running = std::min(by_others_.pids.at(now) + use_of_all().pids, kPids),
        .max = kPids,
        .time = time};
  const bool old_disks_will_do = freshness == agent::Freshness::kCheap && last_ && last_->node_fs &&
                                 last_->image_fs && now - disk_measured_ < kDiskEvery;
  if (old_disks_will_do) {
    out.node_fs = last_->node_fs;
    out.image_fs = last_->image_fs;
  } else {
    measure_disks(out, time);
  }
  out.container_fs = out.image_fs;
  last_ = out;
  co_return out;
}

bool SimulatedResources::fills_its(std::string_view what, const std::string& uid) const {
  return !calm_ && amount(uid, what, 0, 1) == 1 &&
         std::ranges::any_of(runtime_.instances(), [&](const Instance& instance) {
           return instance.pod_uid == uid && instance.live() &&
                  clock_.steady_now() - *instance.started > seconds(20);
         });
}

eviction::PodReading SimulatedResources::measure(const api::Pod& pod) const {
  const PodsUse use = use_of(pod.metadata.uid);
  const std::int64_t log = fills_its("log", pod.metadata.uid) ? kFullLog : 0;
  eviction::PodReading reading{.memory = eviction::UsedMemory{.working_set = use.memory},
                               .ephemeral_storage = use.disk + log,
                               .processes = use.pids};
  for (const api::Container& container : pod.spec.containers)
    reading.containers.push_back(
        {.name = container.name,
         .rootfs = eviction::UsedSpace{.bytes = use.disk, .inodes = use.inodes},
         .logs = eviction::UsedSpace{.bytes = log, .inodes = 1}});
  for (const api::Volume& volume : pod.spec.volumes) {
    if (volume.name != "limited") continue;
    const std::int64_t bytes = fills_its("volume", pod.metadata.uid) ? 17 * kMi : kMi;
    reading.volumes.push_back({.name = volume.name, .used = {.bytes = bytes, .inodes = 3}});
  }
  return reading;
}

// The disk use is that of the last walk, whichever pod had the uid then.
void SimulatedResources::walk(const std::string& uid, eviction::PodReading& reading, bool anew) {
  Walk& last = walks_[uid];
  const SteadyTime now = clock_.steady_now();
  if (anew || last.at == SteadyTime{} || now - last.at >= kWalkEvery)
    last = {.at = now, .found = reading};
  reading.ephemeral_storage = last.found.ephemeral_storage;
  reading.volumes = last.found.volumes;
  for (eviction::ContainerReading& container : reading.containers)
    for (const eviction::ContainerReading& then : last.found.containers)
      if (then.name == container.name) {
        container.rootfs = then.rootfs;
        container.logs = then.logs;
      }
}

boost::asio::awaitable<eviction::PodReadings> SimulatedResources::pods(agent::PodList pods,
                                                                       agent::PodDetail detail) {
  co_await take_time();
  eviction::PodReadings out;
  const bool blind = clock_.steady_now() < blind_.pods;
  for (const auto& pod : pods) {
    if (blind && setup_.random.chance(500)) continue;
    eviction::PodReading reading = measure(*pod);
    if (detail == agent::PodDetail::kMemory) reading.processes.reset();
    walk(pod->metadata.uid, reading, detail == agent::PodDetail::kDisks);
    out.emplace(pod->metadata.uid, std::move(reading));
  }
  co_return out;
}

boost::asio::awaitable<void> SimulatedResources::reclaim(eviction::NodeReclaim what) {
  co_await take_time();
  if (what != eviction::NodeReclaim::kUnusedImages) co_return;
  if (late_) co_await clock_.sleep_for(setup_.random.between(Nanoseconds(seconds(1)), seconds(90)));
  const SteadyTime now = clock_.steady_now();
  Course& images = has_dedicated_image_fs(setup_.layout) ? by_others_.images : by_others_.disk;
  images.level = std::max(images.at(now) - std::exchange(reclaimable_, 0), images.base);
  images.since = now;
}

}  // namespace berth::simulation
