// SPDX-License-Identifier: Apache-2.0

// Fake cgroup trees: directories, with the files that the kernel would have created.
#include "node/cgroups/cgroup_tree.hpp"

#include <gtest/gtest.h>

#include "node/cgroups/pod_cgroups.hpp"
#include "tests/unit/node/host_test_support.hpp"

namespace berth::node {
namespace {

std::string content(const std::string& path) {
  return read_file(path).value_or("(missing)");
}

void make_v1(const TemporaryDirectory& top) {
  for (const char* tree : {"cpu", "cpuset", "hugetlb", "memory", "pids", "systemd", "unified"}) {
    put_file(top / (std::string(tree) + "/cgroup.procs"), "");
  }
  put_file(top / "cpuset/cpuset.cpus", "0-3\n");
  std::filesystem::create_directory_symlink(top / "cpu", top / "cpuacct");
}

TEST(CgroupTreeV1, cgroup_is_made_in_every_controllers_tree) {
  const TemporaryDirectory top;
  make_v1(top);
  const CgroupTree tree(top.path(), 1, {});
  const CgroupName name = {"kubepods", "burstable"};
  EXPECT_FALSE(tree.exists(name));
  ASSERT_TRUE(tree.create(name));
  ASSERT_TRUE(tree.create(name));
  EXPECT_TRUE(tree.exists(name));
  for (const char* root : {"cpu", "cpuset", "hugetlb", "memory", "pids", "systemd"}) {
    EXPECT_TRUE(is_directory(top / (std::string(root) + "/kubepods/burstable"))) << root;
  }
  EXPECT_FALSE(is_directory(top / "unified/kubepods"));
}

TEST(CgroupTreeV1, values_go_to_the_files_of_their_controllers) {
  const TemporaryDirectory top;
  make_v1(top);
  for (const char* file :
       {"cpu/p/cpu.shares", "cpu/p/cpu.cfs_quota_us", "cpu/p/cpu.cfs_period_us",
        "memory/p/memory.limit_in_bytes", "pids/p/pids.max", "hugetlb/p/hugetlb.2MB.limit_in_bytes",
        "hugetlb/p/hugetlb.1GB.limit_in_bytes"}) {
    put_file(top / file, "");
  }
  const std::int64_t two_mebibytes = std::int64_t{2} << 20;
  const CgroupTree tree(top.path(), 1, {two_mebibytes, std::int64_t{1} << 30});
  const CgroupValues values{.cpu_shares = 512,
                            .cpu_quota = 50000,
                            .cpu_period = 100000,
                            .memory_limit = 1048576,
                            .pids_limit = 100,
                            .hugepage_limits = {{two_mebibytes, 4194304}}};
  ASSERT_TRUE(tree.apply({"p"}, values, true));
  EXPECT_EQ(content(top / "cpu/p/cpu.shares"), "512");
  EXPECT_EQ(content(top / "cpu/p/cpu.cfs_quota_us"), "50000");
  EXPECT_EQ(content(top / "cpu/p/cpu.cfs_period_us"), "100000");
  EXPECT_EQ(content(top / "memory/p/memory.limit_in_bytes"), "1048576");
  EXPECT_EQ(content(top / "pids/p/pids.max"), "100");
  EXPECT_EQ(content(top / "hugetlb/p/hugetlb.2MB.limit_in_bytes"), "4194304");
  EXPECT_EQ(content(top / "hugetlb/p/hugetlb.1GB.limit_in_bytes"), "0");
}

TEST(CgroupTreeV1, removal_takes_what_the_runtime_left_in_every_tree) {
  const TemporaryDirectory top;
  make_v1(top);
  std::filesystem::create_directories(top / "cpu/kubepods/pod1/container");
  std::filesystem::create_directories(top / "unified/kubepods/pod1/container");
  const CgroupTree tree(top.path(), 1, {});
  ASSERT_TRUE(tree.remove({"kubepods", "pod1"}));
  EXPECT_FALSE(is_directory(top / "cpu/kubepods/pod1"));
  EXPECT_FALSE(is_directory(top / "unified/kubepods/pod1"));
  EXPECT_TRUE(is_directory(top / "cpu/kubepods"));
  EXPECT_TRUE(tree.remove({"kubepods", "pod1"})) << "gone already is fine";
  EXPECT_FALSE(tree.remove({})) << "never the root";
}

TEST(CgroupTreeV1, removal_of_a_busy_cgroup_names_it) {
  const TemporaryDirectory top;
  make_v1(top);
  put_file(top / "cpu/pod1/busy", "");
  const auto removed = CgroupTree(top.path(), 1, {}).remove({"pod1"});
  ASSERT_FALSE(removed);
  EXPECT_NE(removed.error().message.find("cpu/pod1"), std::string::npos);
}

TEST(CgroupTreeV1, nothing_mounted_is_reported) {
  const TemporaryDirectory top;
  const auto made = CgroupTree(top.path(), 1, {}).create({"kubepods"});
  ASSERT_FALSE(made);
  EXPECT_NE(made.error().message.find(top.path()), std::string::npos);
}

TEST(CgroupTreeV2, controllers_are_handed_down_where_they_are_not_yet) {
  const TemporaryDirectory top;
  put_file(top / "cgroup.controllers", "cpu io memory pids");
  put_file(top / "cgroup.subtree_control", "cpu memory pids");
  put_file(top / "kubepods/cgroup.controllers", "cpu memory pids");
  put_file(top / "kubepods/cgroup.subtree_control", "cpu memory");
  const CgroupTree tree(top.path(), 2, {});
  ASSERT_TRUE(tree.create({"kubepods", "pod1"}));
  EXPECT_TRUE(is_directory(top / "kubepods/pod1"));
  EXPECT_EQ(content(top / "cgroup.subtree_control"), "cpu memory pids") << "nothing to add";
  // A write to a plain file only overwrites its start.
  EXPECT_TRUE(content(top / "kubepods/cgroup.subtree_control").starts_with("+pids"));
}

TEST(CgroupTreeV2, exists_only_with_its_controllers) {
  const TemporaryDirectory top;
  put_file(top / "cgroup.controllers", "cpu memory io");
  put_file(top / "kubepods/cgroup.controllers", "cpu");
  const CgroupTree tree(top.path(), 2, {});
  EXPECT_FALSE(tree.exists({"kubepods"}));
  put_file(top / "kubepods/cgroup.controllers", "cpu memory");
  EXPECT_TRUE(tree.exists({"kubepods"}));
}

TEST(CgroupTreeV2, values_are_in_the_words_of_version_2) {
  const TemporaryDirectory top;
  for (const char* file : {"cpu.weight", "cpu.max", "memory.max", "pids.max"}) {
    put_file(top / ("p/" + std::string(file)), "");
  }
  const CgroupTree tree(top.path(), 2, {});
  ASSERT_TRUE(tree.apply({"p"},
                         {.cpu_shares = 1024,
                          .cpu_quota = 50000,
                          .cpu_period = 100000,
                          .memory_limit = 1048576,
                          .pids_limit = 100},
                         true));
  EXPECT_EQ(content(top / "p/cpu.weight"), "39");
  EXPECT_EQ(content(top / "p/cpu.max"), "50000 100000");
  EXPECT_EQ(content(top / "p/memory.max"), "1048576");
  EXPECT_EQ(content(top / "p/pids.max"), "100");
  put_file(top / "q/cpu.max", "");
  ASSERT_TRUE(tree.apply({"q"}, {.cpu_quota = -1, .cpu_period = 100000}, true));
  EXPECT_EQ(content(top / "q/cpu.max"), "max 100000");
}

TEST(PodCgroups, missing_root_is_reported_by_name) {
  const TemporaryDirectory top;
  make_v1(top);
  NodeConfig config;
  config.paths.cgroup_mount = top.path();
  config.cgroup_root = "/missing";
  NodeFacts facts;
  facts.cgroup_version = 1;
  const auto made = PodCgroups(config, facts, nullptr).create_tiers();
  ASSERT_FALSE(made);
  EXPECT_NE(made.error().message.find("cgroupRoot /missing"), std::string::npos);
}

// A pod's cgroup of version 2 with one file, as the kernel would have made it.
class MadePodCgroup {
 public:
  MadePodCgroup() {
    config_.paths.cgroup_mount = top_.path();
    put_file(weight(), "7");
    pod_.metadata.uid = "a";
    pod_.spec.containers = {{.name = "c"}};
  }
  [[nodiscard]] PodCgroups berthd() const { return {config_, {.cgroup_version = 2}, nullptr}; }
  [[nodiscard]] std::string weight() const { return directory() + "/cpu.weight"; }
  [[nodiscard]] std::string directory() const { return top_ / "kubepods/besteffort/poda"; }
  [[nodiscard]] const api::Pod& pod() const { return pod_; }

 private:
  TemporaryDirectory top_{};
  NodeConfig config_{};
  api::Pod pod_{};
};

TEST(PodCgroups, of_a_pod_that_has_started_are_left_as_they_are_by_every_berthd) {
  const MadePodCgroup made;
  PodCgroups first = made.berthd();
  ASSERT_TRUE(first.create_pod(made.pod()));
  put_file(made.weight(), "500");
  ASSERT_TRUE(first.create_pod(made.pod()));
  EXPECT_EQ(content(made.weight()), "500") << "also where its sandbox is gone";
  std::filesystem::create_directories(made.directory() + "/sandbox");
  PodCgroups next = made.berthd();
  ASSERT_TRUE(next.create_pod(made.pod()));
  EXPECT_EQ(content(made.weight()), "500");
}

TEST(PodCgroups, that_an_earlier_berthd_left_without_limits_get_them) {
  const MadePodCgroup made;
  PodCgroups cgroups = made.berthd();
  ASSERT_TRUE(cgroups.create_pod(made.pod()));
  EXPECT_EQ(content(made.weight()), "1");
}

TEST(PodCgroups, whose_limits_could_not_be_written_get_them_the_next_time) {
  const MadePodCgroup made;
  std::filesystem::remove(made.weight());
  std::filesystem::create_symlink("/dev/full", made.weight());
  PodCgroups cgroups = made.berthd();
  EXPECT_FALSE(cgroups.create_pod(made.pod()));
  std::filesystem::remove(made.weight());
  put_file(made.weight(), "7");
  ASSERT_TRUE(cgroups.create_pod(made.pod()));
  EXPECT_EQ(content(made.weight()), "1");
}

TEST(PodCgroups, pods_are_found_in_every_tier) {
  const TemporaryDirectory top;
  make_v1(top);
  for (const char* path :
       {"kubepods/poda", "kubepods/burstable/podb", "kubepods/besteffort/podc"}) {
    std::filesystem::create_directories(top / ("memory/" + std::string(path)));
  }
  NodeConfig config;
  config.paths.cgroup_mount = top.path();
  NodeFacts facts;
  facts.cgroup_version = 1;
  PodCgroups cgroups(config, facts, nullptr);
  EXPECT_EQ(cgroups.pods(), (std::vector<std::string>{"a", "b", "c"}));
  ASSERT_TRUE(cgroups.remove_pod("b"));
  EXPECT_EQ(cgroups.pods(), (std::vector<std::string>{"a", "c"}));
}

}  // namespace
}  // namespace berth::node
