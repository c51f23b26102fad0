// SPDX-License-Identifier: Apache-2.0

// What is read from a machine's files: from made-up ones in all three forms, and from this
// machine's.
#include <gtest/gtest.h>

#include "agent/eviction/memory_cgroups.hpp"
#include "agent/eviction/pod_readings.hpp"
#include "agent/eviction/read_machine.hpp"
#include "tests/unit/agent/eviction/made_up_machine.hpp"

namespace berth::agent {
namespace {

using eviction::CgroupVersion;
const WallTime kNow{std::chrono::seconds(1000)};

TEST(MemoryCgroups, are_found_in_the_tree_that_has_the_memory_controller) {
  struct Case {
    const char* name;
    void (MadeUpMachine::*make)() const;
    CgroupVersion version;
    std::optional<std::int64_t> working_set;
  };
  const Case cases[] = {
      {"version 2", &MadeUpMachine::make_v2, CgroupVersion::kV2, 4500},
      {"version 1", &MadeUpMachine::make_v1, CgroupVersion::kV1, 5000},
      {"hybrid", &MadeUpMachine::make_hybrid, CgroupVersion::kV1, 5000},
      {"hybrid, memory in version 2", &MadeUpMachine::make_hybrid_with_memory_in_v2,
       CgroupVersion::kV2, 4500},
  };
  for (const Case& test : cases) {
    SCOPED_TRACE(test.name);
    const MadeUpMachine machine;
    (machine.*test.make)();
    const MemoryCgroups cgroups(machine.cgroups());
    ASSERT_TRUE(cgroups.visible());
    EXPECT_EQ(cgroups.version(), test.version);
    EXPECT_EQ(cgroups.working_set("/"), test.working_set);
  }
}

TEST(MemoryCgroups, out_of_sight_there_is_nothing_and_nothing_is_not_zero) {
  const MadeUpMachine machine;
  const MemoryCgroups cgroups(machine.cgroups());
  EXPECT_FALSE(cgroups.visible());
  EXPECT_EQ(cgroups.working_set("/"), std::nullopt);
  EXPECT_EQ(cgroups.processes("/"), std::nullopt);
  EXPECT_TRUE(cgroups.working_sets_below("/").empty());
}

TEST(MemoryCgroups, of_a_pod_count_its_containers_and_all_processes_below_it) {
  const MadeUpMachine machine;
  machine.make_v2();
  const std::string pod = "cgroup/kubepods/burstable/podabc";
  machine.put(pod + "/memory.current", "900\n");
  machine.put(pod + "/memory.stat", "inactive_file 100\n");
  machine.put(pod + "/cgroup.procs", "");
  machine.put(pod + "/c1/memory.current", "500\n");
  machine.put(pod + "/c1/memory.stat", "inactive_file 100\n");
  machine.put(pod + "/c1/cgroup.procs", "10\n11\n");
  machine.put(pod + "/c1/inner/cgroup.procs", "12\n");
  machine.put(pod + "/c2/memory.current", "7\n");  // the cgroup's memory.stat is gone already
  const MemoryCgroups cgroups(machine.cgroups());
  const std::string path = "/kubepods/burstable/podabc";
  EXPECT_EQ(cgroups.working_set(path), 800);
  EXPECT_EQ(cgroups.processes(path), 3);
  EXPECT_EQ(cgroups.working_sets_below(path), (std::map<std::string, std::int64_t>{{"c1", 400}}));
  EXPECT_EQ(cgroups.working_set("/kubepods/podgone"), std::nullopt);
  EXPECT_EQ(cgroups.processes("/kubepods/podgone"), std::nullopt);
}

TEST(MemoryCgroups, containers_in_scopes_of_the_service_manager_are_known_by_their_ids) {
  const MadeUpMachine machine;
  machine.make_v2();
  const std::string pod = "cgroup/kubepods.slice/kubepods-podabc.slice";
  for (const char* scope : {"cri-containerd-c1.scope", "crio-c2.scope", "crio-conmon-c2.scope"}) {
    machine.put(pod + "/" + scope + "/memory.current", "500\n");
    machine.put(pod + "/" + scope + "/memory.stat", "inactive_file 100\n");
  }
  EXPECT_EQ(
      MemoryCgroups(machine.cgroups()).working_sets_below("/kubepods.slice/kubepods-podabc.slice"),
      (std::map<std::string, std::int64_t>{{"c1", 400}, {"c2", 400}}));
}

TEST(MemoryCgroups, containers_of_crio_are_known_by_their_ids_without_the_service_manager_as_well) {
  const MadeUpMachine machine;
  machine.make_v2();
  for (const char* cgroup : {"crio-c1", "crio-conmon-c1"}) {
    machine.put(std::string("cgroup/kubepods/podabc/") + cgroup + "/memory.current", "500\n");
    machine.put(std::string("cgroup/kubepods/podabc/") + cgroup + "/memory.stat",
                "inactive_file 100\n");
  }
  EXPECT_EQ(MemoryCgroups(machine.cgroups()).working_sets_below("/kubepods/podabc"),
            (std::map<std::string, std::int64_t>{{"c1", 400}}));
}

TEST(PodMemory, of_how_a_pod_waits_for_disks_is_read_with_its_processes) {
  const MadeUpMachine machine;
  machine.make_v2();
  machine.put("cgroup/kubepods/poda/io.pressure",
              "some avg10=12.50 avg60=1.00 avg300=0.00 total=9\n"
              "full avg10=1.00 avg60=0.00 avg300=0.00 total=5\n");
  const MemoryCgroups cgroups(machine.cgroups());
  const std::vector<PodPlaces> pods = {{.uid = "a", .cgroup = "/kubepods/poda"},
                                       {.uid = "b", .cgroup = "/kubepods/podb"}};
  const auto read = read_pod_memory(cgroups, pods, PodDetail::kPods);
  ASSERT_TRUE(read.contains("a"));
  EXPECT_EQ(read.at("a").io_pressure->some_avg10, 125'000);
  EXPECT_FALSE(read.contains("b")) << "nothing is known of it";
  EXPECT_FALSE(read_pod_memory(cgroups, pods, PodDetail::kMemory).contains("a")) << "not asked for";
  const api::Pod pod;
  EXPECT_EQ(pod_reading(pod, pods[0], read.at("a"), {}, [](const auto&) { return std::nullopt; })
                .io_pressure,
            read.at("a").io_pressure);
}

TEST(MachineReadings, hold_all_that_version_2_shows_each_with_its_time) {
  const MadeUpMachine machine;
  machine.make_v2();
  machine.make_proc();
  const auto read = read_machine(MemoryCgroups(machine.cgroups()),
                                 {.proc = machine.proc(), .pods_cgroup = "/kubepods"}, kNow)
                        .node;
  ASSERT_TRUE(read.memory.has_value());
  EXPECT_EQ(read.memory->working_set, 4500);
  EXPECT_EQ(read.memory->available, 16384 - 4500);
  EXPECT_EQ(read.memory->time, kNow);
  ASSERT_TRUE(read.allocatable_memory.has_value());
  EXPECT_EQ(read.allocatable_memory->available, 9000 - 3700);
  EXPECT_EQ(read.own.memory_with_cache->available, 12288);
  EXPECT_EQ(read.own.allocatable_memory_with_cache->available, 9000 - 3600);
  EXPECT_EQ(read.own.swap->available, 2048);
  EXPECT_EQ(read.own.memory_pressure->some_avg10, 10'000);
  EXPECT_EQ(read.own.allocatable_memory_pressure->full_avg10, 20'000);
  EXPECT_EQ(read.own.io_pressure->some_avg10, 90'000);
  EXPECT_EQ(read.own.io_pressure->full_avg300, 40'000);
  EXPECT_EQ(read.own.allocatable_io_pressure->full_avg300, 30'000);
  ASSERT_TRUE(read.pids.has_value());
  EXPECT_EQ(read.pids->running, 345);
  EXPECT_EQ(read.pids->max, 1000);
  EXPECT_EQ(read.pids->time, kNow);
}

TEST(MachineReadings, lack_what_version_1_and_a_kernel_without_stalls_do_not_show) {
  const MadeUpMachine machine;
  machine.make_v1();
  machine.put("proc/meminfo", "MemTotal: 16 kB\nMemAvailable: 12 kB\n");
  const auto read = read_machine(MemoryCgroups(machine.cgroups()),
                                 {.proc = machine.proc(), .pods_cgroup = "/kubepods"}, kNow)
                        .node;
  EXPECT_EQ(read.memory->available, 16384 - 5000);
  EXPECT_EQ(read.allocatable_memory, std::nullopt) << "kubepods is not there";
  EXPECT_EQ(read.own.swap, std::nullopt);
  EXPECT_EQ(read.own.memory_pressure, std::nullopt);
  EXPECT_EQ(read.own.allocatable_memory_pressure, std::nullopt);
  EXPECT_EQ(read.own.io_pressure, std::nullopt);
  EXPECT_EQ(read.own.allocatable_io_pressure, std::nullopt);
  EXPECT_EQ(read.pids.value_or(eviction::PidReading{}).running, std::nullopt);
}

TEST(MachineReadings, of_this_machine_make_sense) {
  const MemoryCgroups cgroups("/sys/fs/cgroup");
  if (!cgroups.visible()) GTEST_SKIP() << "no memory cgroups can be seen here";
  const auto read = read_machine(cgroups, {}, kNow).node;
  ASSERT_TRUE(read.memory.has_value());
  EXPECT_GT(read.memory->available.value_or(-1), 0);
  EXPECT_GT(read.memory->working_set.value_or(-1), 0);
  EXPECT_GT(read.pids->running.value_or(-1), 1);
  EXPECT_GT(read.pids->max.value_or(-1), *read.pids->running);
  EXPECT_GT(read.own.memory_with_cache->available, 0);
}

TEST(MachineReadings, at_a_glance_show_what_the_root_cgroup_says_is_in_use) {
  const MemoryCgroups cgroups("/sys/fs/cgroup");
  const auto looked = cgroups.working_set("/");
  if (!looked) GTEST_SKIP() << "no memory cgroups can be seen here";
  const auto glanced = MemoryGlance("/proc").in_use();
  ASSERT_TRUE(glanced.has_value());
  constexpr double kOthersMove = 0.25;  // the share that other processes may change meanwhile
  EXPECT_NEAR(static_cast<double>(*glanced), static_cast<double>(*looked),
              kOthersMove * static_cast<double>(*looked));
  EXPECT_EQ(MemoryGlance("/no/such/proc").in_use(), std::nullopt);
}

TEST(FileSystems, are_distinguished_by_their_devices_and_show_what_is_left) {
  const auto root = measure_file_system("/", kNow);
  ASSERT_TRUE(root.has_value());
  EXPECT_GT(root->reading.capacity.value_or(0), 0);
  EXPECT_EQ(root->reading.time, kNow);
  const auto proc = measure_file_system("/proc", kNow);
  ASSERT_TRUE(proc.has_value());
  EXPECT_NE(proc->device, root->device);
  EXPECT_EQ(proc->reading.inodes, std::nullopt) << "it counts none";
  EXPECT_EQ(measure_file_system("/no/such/path", kNow), std::nullopt);
}

}  // namespace
}  // namespace berth::agent
