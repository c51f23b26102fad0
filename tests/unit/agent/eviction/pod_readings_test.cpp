// SPDX-License-Identifier: Apache-2.0

// A pod's reading from its parts, and the source that collects them.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <functional>
#include <future>

#include "agent/eviction/linux_readings.hpp"
#include "agent/eviction/pod_readings.hpp"
#include "tests/unit/agent/eviction/made_up_machine.hpp"
#include "tests/unit/base/loop_fixture.hpp"

namespace berth::agent {
namespace {

api::ContainerStatus running(const std::string& name, const std::string& id) {
  return {.name = name,
          .state = {.running = api::ContainerStateRunning{}},
          .containerID = "containerd://" + id};
}

api::Pod two_containers() {
  api::Pod pod{.metadata = {.name = "web", .namespace_ = "default", .uid = "u-1"}};
  pod.spec.containers = {api::Container{.name = "app"}, api::Container{.name = "log"}};
  pod.spec.volumes = {
      api::Volume{.name = "scratch", .emptyDir = api::EmptyDirVolumeSource{}},
      api::Volume{.name = "ram", .emptyDir = api::EmptyDirVolumeSource{.medium = "Memory"}},
      api::Volume{.name = "host", .hostPath = api::HostPathVolumeSource{.path = "/usr"}}};
  pod.status.containerStatuses = {running("app", "c1"), running("log", "c2")};
  return pod;
}

node::NodeConfig config_below(const MadeUpMachine& machine) {
  node::NodeConfig config;
  config.paths.root = machine.path("root");
  config.paths.pod_logs = machine.path("logs");
  config.paths.cgroup_mount = machine.cgroups();
  return config;
}

TEST(PodPlaces, are_where_the_node_puts_a_pods_files) {
  const MadeUpMachine machine;
  const auto places = pod_places(config_below(machine), two_containers());
  EXPECT_EQ(places.cgroup, "/kubepods/besteffort/podu-1");
  ASSERT_EQ(places.volumes.size(), 2U) << "a hostPath is not the pod's own";
  EXPECT_EQ(places.volumes[0].path,
            machine.path("root/pods/u-1/volumes/kubernetes.io~empty-dir/scratch"));
  ASSERT_EQ(places.logs.size(), 2U);
  EXPECT_EQ(places.logs[0].path, machine.path("logs/default_web_u-1/app"));
  EXPECT_EQ(places.running.at("c2"), "log");
}

TEST(PodReading, sums_ephemeral_storage_over_what_is_known_without_memory_volumes) {
  const auto pod = two_containers();
  const auto places = pod_places({}, pod);
  const UsedByPath used = [&](const std::string& path) -> std::optional<eviction::UsedSpace> {
    if (path == places.volumes[0].path) return eviction::UsedSpace{.bytes = 1000, .inodes = 3};
    if (path == places.volumes[1].path) return eviction::UsedSpace{.bytes = 9, .inodes = 1};
    if (path == places.logs[0].path) return eviction::UsedSpace{.bytes = 50, .inodes = 2};
    if (path == places.etc_hosts) return eviction::UsedSpace{.bytes = 4, .inodes = 1};
    return std::nullopt;
  };
  const auto reading = pod_reading(
      pod, places, {.working_set = 700, .containers = {{"c1", 600}}},
      {{.id = cri::ContainerId("c1"), .writable_bytes = 200}, {.id = cri::ContainerId("c2")}},
      used);
  EXPECT_EQ(reading.ephemeral_storage, 1000 + 50 + 4 + 200);
  EXPECT_EQ(reading.memory->working_set, 700);
  ASSERT_EQ(reading.containers.size(), 2U);
  EXPECT_EQ(reading.containers[0].working_set, 600);
  EXPECT_EQ(reading.containers[1].working_set, std::nullopt) << "its cgroup showed nothing";
  EXPECT_EQ(reading.containers[1].logs, std::nullopt) << "not measured yet is not empty";
  EXPECT_EQ(reading.volumes.size(), 2U);
}

TEST(PodReading, takes_memory_from_the_runtime_where_no_cgroup_shows_it) {
  const auto pod = two_containers();
  const auto none = [](const std::string&) -> std::optional<eviction::UsedSpace> { return {}; };
  const auto reading = pod_reading(pod, pod_places({}, pod), {},
                                   {{.id = cri::ContainerId("c1"), .working_set = 30},
                                    {.id = cri::ContainerId("c2"), .working_set = 12}},
                                   none);
  EXPECT_EQ(reading.memory->working_set, 42);
  EXPECT_EQ(reading.processes, std::nullopt);
  EXPECT_EQ(pod_reading(pod, pod_places({}, pod), {}, {}, none).memory, std::nullopt);
}

api::ContainerState terminated(const std::string& id) {
  return {.terminated = api::ContainerStateTerminated{.containerID = "containerd://" + id}};
}

// "log" crashes again and again: an instance from before its latest one is not gone yet.
TEST(PodReading, counts_of_each_container_the_instance_that_runs_and_no_other) {
  auto pod = two_containers();
  pod.spec.initContainers = {api::Container{.name = "setup"}};
  pod.status.initContainerStatuses = {api::ContainerStatus{
      .name = "setup", .state = terminated("i1"), .containerID = "containerd://i1"}};
  pod.status.containerStatuses[1].state = {.waiting = api::ContainerStateWaiting{}};
  pod.status.containerStatuses[1].lastState = terminated("c2");
  const auto places = pod_places({}, pod);
  const UsedByPath used = [&](const std::string& path) -> std::optional<eviction::UsedSpace> {
    const bool is_log =
        std::ranges::find(places.logs, path, &NamedPlace::path) != places.logs.end();
    return is_log ? std::optional(eviction::UsedSpace{.bytes = 10}) : std::nullopt;
  };
  std::vector<cri::ContainerStatistics> statistics = {
      {.id = cri::ContainerId("c0"), .name = "app", .writable_bytes = 4'000'000},
      {.id = cri::ContainerId("c1"), .name = "app", .writable_bytes = 200},
      {.id = cri::ContainerId("c2"), .name = "log", .writable_bytes = 3000},
      {.id = cri::ContainerId("b9"), .name = "log", .writable_bytes = 6000},
      {.id = cri::ContainerId("i1"), .name = "setup", .writable_bytes = 5000}};
  for (int order = 0; order < 2; ++order) {
    const auto reading = pod_reading(pod, places, {}, statistics, used);
    ASSERT_EQ(reading.containers.size(), 1U) << "the one that runs";
    EXPECT_EQ(reading.containers[0].name, "app");
    EXPECT_EQ(reading.containers[0].rootfs->bytes, 200);
    EXPECT_EQ(reading.ephemeral_storage, 200 + 10);
    std::ranges::reverse(statistics);
  }
}

// Its status is that from before its start, that of the instance before it, or its own, waiting.
TEST(PodReading, counts_a_container_whose_post_start_hook_still_runs) {
  const api::ContainerState waiting{.waiting = api::ContainerStateWaiting{}};
  const std::vector<api::ContainerStatus> shown = {
      {.name = "app", .state = waiting},
      {.name = "app",
       .state = waiting,
       .lastState = terminated("c0"),
       .containerID = "containerd://c0"},
      {.name = "app", .state = waiting, .containerID = "containerd://c1"}};
  for (const api::ContainerStatus& status : shown) {
    auto pod = two_containers();
    pod.spec.containers[0].lifecycle = api::Lifecycle{.postStart = api::LifecycleHandler{}};
    pod.status.containerStatuses = {status};
    const auto places = pod_places({}, pod);
    const UsedByPath used = [&](const std::string& path) -> std::optional<eviction::UsedSpace> {
      return path == places.etc_hosts ? std::nullopt
                                      : std::optional(eviction::UsedSpace{.bytes = 10});
    };
    std::vector<cri::ContainerStatistics> statistics = {
        {.id = cri::ContainerId("c1"), .name = "app", .writable_bytes = 200}};
    if (status.lastState.terminated)
      statistics.push_back(
          {.id = cri::ContainerId("c0"), .name = "app", .writable_bytes = 4'000'000});
    const auto reading = pod_reading(pod, places, {}, statistics, used);
    ASSERT_EQ(reading.containers.size(), 1U) << status.containerID;
    EXPECT_EQ(reading.containers[0].rootfs->bytes, 200) << status.containerID;
    EXPECT_EQ(reading.containers[0].logs->bytes, 10) << status.containerID;
  }
}

class KnownStatistics final : public cri::Statistics {
 public:
  boost::asio::awaitable<Result<std::vector<cri::ContainerStatistics>>> list_container_statistics(
      Context /*context*/) override {
    ++asked;
    if (!answers) co_return fail(ErrorCode::kUnavailable, "down");
    co_return std::vector<cri::ContainerStatistics>{
        {.id = cri::ContainerId("c1"), .pod_uid = "u-1", .working_set = 5, .writable_bytes = 77}};
  }
  bool answers = true;
  int asked = 0;
};

class KnownImages final : public cri::Images {
 public:
  cri::Call<cri::Image> image_status(Context, cri::ImageSpec) override {
    return refuse<cri::Image>();
  }
  cri::Call<std::string> pull_image(Context, cri::ImageSpec, std::vector<cri::AuthConfig>,
                                    cri::PodSandboxConfig) override {
    return refuse<std::string>();
  }
  cri::Call<std::vector<cri::Image>> list_images(Context) override {
    return refuse<std::vector<cri::Image>>();
  }
  cri::Call<cri::Done> remove_image(Context, cri::ImageSpec) override {
    return refuse<cri::Done>();
  }
  cri::Call<cri::ImageStore> image_store(Context /*context*/) override {
    if (!answers) co_return fail(ErrorCode::kUnavailable, "down");
    co_return cri::ImageStore{.mountpoint = mountpoint};
  }
  bool answers = true;
  std::string mountpoint = "/";

 private:
  template <class T>
  static cri::Call<T> refuse() {
    co_return fail(ErrorCode::kUnimplemented, "not asked here");
  }
};

class LinuxReadingsTest : public LoopFixture {
 protected:
  explicit LinuxReadingsTest(unsigned threads = 0)
      : pool(loop.get_executor(), clock, {.threads = threads}) {
    machine.make_v2();
    machine.make_proc();
    machine.put("root/file", "");
    use(1min);
  }
  void use(Nanoseconds volume_period) {
    source.emplace(LinuxReadings::Services{
                       .executor = loop.get_executor(),
                       .clock = clock,
                       .pool = pool,
                       .images = images,
                       .statistics = statistics,
                       .exceeded = [this] { ++exceeded; },
                       .on_failure = [](auto, auto failure) { std::rethrow_exception(failure); }},
                   config_below(machine), volume_period, machine.proc());
  }
  void TearDown() override {
    spawn_and_drain(source->stop());
    LoopFixture::TearDown();
  }
  boost::asio::awaitable<void> read_node(Freshness freshness) {
    node_read = co_await source->node(freshness);
  }
  boost::asio::awaitable<void> read_pods(PodDetail detail = PodDetail::kContainers) {
    return read(two_containers(), detail);
  }
  boost::asio::awaitable<void> read(api::Pod pod, PodDetail detail) {
    PodList pods;
    pods.push_back(std::make_shared<const api::Pod>(std::move(pod)));
    pods_read = co_await source->pods(pods, detail);
  }

  MadeUpMachine machine{};
  BlockingPool pool;
  KnownImages images{};
  KnownStatistics statistics{};
  std::optional<LinuxReadings> source{};
  eviction::NodeReadings node_read{};
  int exceeded = 0;
  eviction::PodReadings pods_read{};
};

TEST_F(LinuxReadingsTest, file_systems_are_measured_again_after_a_while_or_when_asked_freshly) {
  spawn_and_drain(read_node(Freshness::kCheap));
  ASSERT_TRUE(node_read.node_fs && node_read.image_fs);
  const auto first = node_read.node_fs->time;
  EXPECT_EQ(first, clock.wall_now());
  EXPECT_TRUE(source->layout().has_value());
  clock.advance(3s);
  spawn_and_drain(read_node(Freshness::kCheap));
  EXPECT_EQ(node_read.node_fs->time, first);
  EXPECT_EQ(node_read.memory->time, clock.wall_now()) << "memory is always new";
  spawn_and_drain(read_node(Freshness::kFresh));
  EXPECT_EQ(node_read.node_fs->time, clock.wall_now());
  clock.advance(10s);
  spawn_and_drain(read_node(Freshness::kCheap));
  EXPECT_EQ(node_read.node_fs->time, clock.wall_now());
}

// The pool's only thread is blocked for as long as the disk does not answer.
class SlowDiskTest : public LinuxReadingsTest {
 protected:
  SlowDiskTest() : LinuxReadingsTest(1) {}
  void SetUp() override {
    complete(read_node(Freshness::kFresh));
    first = node_read.node_fs->time;
  }
  void hold() {
    is_open = false;
    spawn("disk", hold_pool());
    drain();
  }
  void TearDown() override {
    if (!is_open) open();
    LinuxReadingsTest::TearDown();
  }
  boost::asio::awaitable<void> hold_pool() {
    std::function<bool()> waits = [gate = gate.get_future().share()] {
      gate.wait();
      return true;
    };
    static_cast<void>(co_await pool.run("waiting for the disk", std::move(waits)));
  }
  void open() {
    is_open = true;
    gate.set_value();
    std::function<bool()> nothing = [] { return true; };
    complete(through_pool(nothing));  // runs after what is queued in the pool
    drain();
  }
  boost::asio::awaitable<void> through_pool(std::function<bool()> work) {
    static_cast<void>(co_await pool.run("work", std::move(work)));
  }
  void complete(boost::asio::awaitable<void> task) {
    bool done = false;
    spawn("task", and_then(std::move(task), done));
    for (int turn = 0; turn < 1000 && !done; ++turn) {
      loop.restart();
      loop.run_one_for(30ms);
    }
    ASSERT_TRUE(done);
  }
  static boost::asio::awaitable<void> and_then(boost::asio::awaitable<void> task, bool& done) {
    co_await std::move(task);
    done = true;
  }

  std::promise<void> gate{};
  bool is_open = true;
  std::optional<WallTime> first{};
};

TEST_F(SlowDiskTest, does_not_keep_memory_from_being_measured) {
  clock.advance(10s);
  hold();
  const WallTime asked = clock.wall_now();
  spawn_and_drain(read_node(Freshness::kCheap));
  clock.advance(20ms);
  drain();
  EXPECT_EQ(node_read.memory->time, clock.wall_now()) << "a 50th of a second is waited";
  EXPECT_EQ(node_read.node_fs->time, first) << "as it was measured last";
  open();
  clock.advance(10s);
  spawn_and_drain(read_node(Freshness::kCheap));
  EXPECT_EQ(node_read.node_fs->time, asked) << "late is not never";
}

TEST_F(SlowDiskTest, stands_as_it_was_for_half_a_minute_and_is_missing_then) {
  const auto read = [this] {
    spawn_and_drain(read_node(Freshness::kFresh));
    clock.advance(2s);
    drain();
  };
  clock.advance(26s);
  hold();
  read();
  ASSERT_TRUE(node_read.node_fs);
  EXPECT_EQ(node_read.node_fs->time, first);
  clock.advance(4s);
  read();
  EXPECT_EQ(node_read.node_fs, std::nullopt);
}

TEST_F(LinuxReadingsTest, images_on_the_nodes_own_file_system_are_measured_with_it) {
  machine.put("root/images/layer", "");
  images.mountpoint = machine.path("root/images");
  spawn_and_drain(read_node(Freshness::kFresh));
  ASSERT_EQ(source->layout(), eviction::FileSystemLayout::kSingle);
  std::filesystem::remove_all(images.mountpoint);
  clock.advance(1s);
  spawn_and_drain(read_node(Freshness::kFresh));
  ASSERT_TRUE(node_read.image_fs);
  EXPECT_EQ(node_read.image_fs, node_read.node_fs);
  EXPECT_EQ(node_read.image_fs->time, clock.wall_now());
}

TEST_F(LinuxReadingsTest, without_a_runtime_only_what_it_alone_knows_is_missing) {
  images.answers = false;
  spawn_and_drain(read_node(Freshness::kFresh));
  EXPECT_TRUE(node_read.memory && node_read.node_fs && node_read.pids);
  EXPECT_EQ(node_read.image_fs, std::nullopt);
  EXPECT_EQ(source->layout(), std::nullopt);
  images.answers = true;
  spawn_and_drain(read_node(Freshness::kFresh));
  EXPECT_TRUE(node_read.image_fs && source->layout());
}

TEST_F(LinuxReadingsTest, pods_have_their_cgroups_memory_and_what_was_measured_beside_it) {
  const std::string pod = "cgroup/kubepods/besteffort/podu-1";
  machine.put(pod + "/memory.current", "900\n");
  machine.put(pod + "/memory.stat", "inactive_file 100\n");
  machine.put(pod + "/cgroup.procs", "7\n");
  machine.put("root/pods/u-1/volumes/kubernetes.io~empty-dir/scratch/file", "x");
  spawn("disks", source->measure_disks());
  spawn_and_drain(read_pods());
  drain();
  EXPECT_EQ(pods_read.at("u-1").memory->working_set, 800);
  EXPECT_EQ(pods_read.at("u-1").processes, 1);
  EXPECT_EQ(statistics.asked, 1);
  spawn_and_drain(read_pods());
  EXPECT_EQ(pods_read.at("u-1").containers[0].rootfs->bytes, 77);
  ASSERT_EQ(pods_read.at("u-1").volumes.size(), 1U) << "the other one is not there";
  EXPECT_EQ(pods_read.at("u-1").volumes[0].used.inodes, 2);
  statistics.answers = false;
  clock.advance(1min);
  EXPECT_EQ(statistics.asked, 2);
  spawn_and_drain(read_pods());
  EXPECT_EQ(pods_read.at("u-1").containers[0].rootfs->bytes, 77) << "what was known stands";
  clock.advance(3min);
  spawn_and_drain(read_pods());
  for (const auto& container : pods_read.at("u-1").containers)
    EXPECT_EQ(container.rootfs, std::nullopt) << "and is missing once it is too old";
}

TEST_F(LinuxReadingsTest, before_one_goes_for_a_disk_the_runtime_is_asked_and_volumes_are_walked) {
  const std::string volume = "root/pods/u-1/volumes/kubernetes.io~empty-dir/scratch/";
  machine.put(volume + "file", "x");
  spawn("disks", source->measure_disks());
  spawn_and_drain(read_pods());
  drain();
  const int asked = statistics.asked;
  machine.put(volume + "more", "x");
  spawn_and_drain(read_pods());
  EXPECT_EQ(pods_read.at("u-1").volumes.at(0).used.inodes, 2) << "as of the last walk";
  EXPECT_EQ(statistics.asked, asked);
  spawn_and_drain(read_pods(PodDetail::kDisks));
  EXPECT_EQ(statistics.asked, asked + 1);
  EXPECT_EQ(pods_read.at("u-1").volumes.at(0).used.inodes, 3);
}

TEST_F(LinuxReadingsTest, without_walks_of_volumes_logs_are_measured_all_the_same) {
  use(-1s);
  machine.put("root/pods/u-1/volumes/kubernetes.io~empty-dir/scratch/file", "x");
  machine.put("logs/default_web_u-1/app/0.log", std::string(9, 'x'));
  spawn("disks", source->measure_disks());
  spawn_and_drain(read_pods());
  drain();
  spawn_and_drain(read_pods());
  const auto& reading = pods_read.at("u-1");
  EXPECT_TRUE(reading.volumes.empty());
  ASSERT_TRUE(reading.containers.at(0).logs);
  EXPECT_GT(reading.containers[0].logs->bytes, 0);
}

TEST_F(LinuxReadingsTest, a_pods_etc_hosts_counts_as_its_use_of_the_disk) {
  machine.put("root/pods/u-1/etc-hosts", std::string(9, 'x'));
  spawn("disks", source->measure_disks());
  spawn_and_drain(read_pods());
  drain();
  spawn_and_drain(read_pods());
  EXPECT_GT(pods_read.at("u-1").ephemeral_storage, 77) << "more than its writable layer";
}

TEST_F(LinuxReadingsTest, that_some_pods_are_measured_forgets_nothing_of_the_others) {
  machine.put("root/pods/u-1/volumes/kubernetes.io~empty-dir/scratch/file", "x");
  spawn("disks", source->measure_disks());
  spawn_and_drain(read_pods());
  drain();
  auto other = two_containers();
  other.metadata.uid = "u-2";
  spawn_and_drain(read(other, PodDetail::kContainers));
  spawn_and_drain(read_pods());
  EXPECT_EQ(pods_read.at("u-1").volumes.size(), 1U);
  spawn_and_drain(read(other, PodDetail::kMemory));
  spawn_and_drain(read_pods());
  EXPECT_TRUE(pods_read.at("u-1").volumes.empty()) << "those are all there are";
}

TEST_F(LinuxReadingsTest, a_walk_that_finds_a_limit_exceeded_says_so_at_once_and_once) {
  auto limited = two_containers();
  limited.spec.volumes[0].emptyDir->sizeLimit =
      api::Quantity::from_int(50'000, api::Quantity::Format::kDecimalSI);
  const std::string volume = "root/pods/u-1/volumes/kubernetes.io~empty-dir/scratch/";
  machine.put(volume + "file", "");
  spawn_and_drain(read_node(Freshness::kCheap));
  spawn("disks", source->measure_disks());
  spawn_and_drain(read(limited, PodDetail::kMemory));
  drain();
  machine.put(volume + "large", std::string(100'000, 'x'));
  EXPECT_EQ(exceeded, 0);
  clock.advance(2min + 5s);
  EXPECT_EQ(exceeded, 1);
  clock.advance(10min);
  EXPECT_EQ(exceeded, 1);
}

TEST_F(LinuxReadingsTest, of_a_pod_without_anything_measured_there_is_no_reading) {
  spawn_and_drain(read_pods());
  EXPECT_TRUE(pods_read.empty());
}

}  // namespace
}  // namespace berth::agent
