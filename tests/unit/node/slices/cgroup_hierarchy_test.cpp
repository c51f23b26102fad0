// SPDX-License-Identifier: Apache-2.0

// The cgroups of pods with both drivers, on a made-up version 2 tree; calls to the service manager
// are recorded.
#include "node/slices/cgroup_hierarchy.hpp"

#include <filesystem>

#include <gtest/gtest.h>

#include "node/cgroups/pod_cgroups.hpp"
#include "tests/unit/node/host_test_support.hpp"

namespace berth::node {
namespace {

using Calls = std::vector<std::string>;

// A service manager that records its calls.
class RecordedSlices final : public Slices {
 public:
  Result<Nothing> start(const std::string& slice,
                        const std::vector<SliceProperty>& properties) override {
    calls.push_back("start " + slice + text(properties));
    return fails.empty() ? Result<Nothing>(Nothing{}) : fail(ErrorCode::kUnavailable, fails);
  }
  Result<Nothing> set(const std::string& slice,
                      const std::vector<SliceProperty>& properties) override {
    calls.push_back("set " + slice + text(properties));
    return Nothing{};
  }
  Result<Nothing> stop(const std::string& slice) override {
    calls.push_back("stop " + slice);
    return Nothing{};
  }

  Calls calls{};
  std::string fails{};  // why nothing can be started

 private:
  static std::string text(const std::vector<SliceProperty>& properties) {
    std::string all;
    for (const auto& [name, value] : properties) all += " " + name + "=" + std::to_string(value);
    return all;
  }
};

NodeConfig systemd_config(const TemporaryDirectory& top) {
  NodeConfig config;
  config.paths.cgroup_mount = top.path();
  config.cgroup_driver = CgroupDriver::kSystemd;
  return config;
}

NodeFacts version_2() {
  NodeFacts facts;
  facts.cgroup_version = 2;
  return facts;
}

api::Pod best_effort(const char* uid) {
  api::Pod pod;
  pod.metadata.uid = uid;
  pod.spec.containers = {{.name = "c"}};
  return pod;
}

TEST(CgroupHierarchy,
     with_slices_the_service_manager_is_asked_first_and_the_files_are_written_too) {
  const TemporaryDirectory top;
  RecordedSlices slices;
  const CgroupHierarchy tree(CgroupTree(top.path(), 2, {}), 2, &slices);
  put_file(top / "kubepods.slice/kubepods-podx_y.slice/pids.max", "");
  ASSERT_TRUE(tree.put({"kubepods", "podx-y"}, {.pids_limit = 7}, true));
  EXPECT_EQ(slices.calls, Calls{"start kubepods-podx_y.slice TasksMax=7"});
  EXPECT_EQ(read_file(top / "kubepods.slice/kubepods-podx_y.slice/pids.max").value_or(""), "7");
  EXPECT_EQ(tree.children({"kubepods"}), std::vector<std::string>{"podx-y"});
}

TEST(CgroupHierarchy, without_slices_they_are_plain_directories) {
  const TemporaryDirectory top;
  const CgroupHierarchy tree(CgroupTree(top.path(), 2, {}), 2, nullptr);
  ASSERT_TRUE(tree.put({"kubepods", "podx-y"}, {}, true));
  EXPECT_TRUE(is_directory(top / "kubepods/podx-y"));
  EXPECT_EQ(tree.children({"kubepods"}), std::vector<std::string>{"podx-y"});
}

TEST(CgroupHierarchy, a_slice_is_stopped_before_what_is_left_of_it_is_removed) {
  const TemporaryDirectory top;
  RecordedSlices slices;
  const CgroupHierarchy tree(CgroupTree(top.path(), 2, {}), 2, &slices);
  std::filesystem::create_directories(top / "kubepods.slice/kubepods-podx.slice/below");
  ASSERT_TRUE(tree.remove({"kubepods", "podx"}));
  EXPECT_EQ(slices.calls, Calls{"stop kubepods-podx.slice"});
  EXPECT_FALSE(is_directory(top / "kubepods.slice/kubepods-podx.slice"));
}

TEST(CgroupHierarchy, tiers_and_pods_are_slices_below_kubepods) {
  const TemporaryDirectory top;
  RecordedSlices slices;
  PodCgroups cgroups(systemd_config(top), version_2(), &slices);
  ASSERT_TRUE(cgroups.create_tiers());
  cgroups.set_burstable_shares(512);
  ASSERT_TRUE(cgroups.write_burstable_shares());
  ASSERT_TRUE(cgroups.create_pod(best_effort("ab-cd")));
  ASSERT_EQ(slices.calls.size(), 5U);
  EXPECT_TRUE(slices.calls[0].starts_with("start kubepods.slice")) << slices.calls[0];
  EXPECT_EQ(slices.calls[1], "start kubepods-burstable.slice CPUWeight=1");
  EXPECT_EQ(slices.calls[2], "start kubepods-besteffort.slice CPUWeight=1");
  EXPECT_EQ(slices.calls[3], "set kubepods-burstable.slice CPUWeight=20");
  EXPECT_EQ(slices.calls[4], "start kubepods-besteffort-podab_cd.slice CPUWeight=1");
  EXPECT_EQ(cgroups.pods(), std::vector<std::string>{"ab-cd"});
}

TEST(CgroupHierarchy, a_service_manager_that_refuses_fails_the_pod_and_leaves_no_directory) {
  const TemporaryDirectory top;
  RecordedSlices slices;
  PodCgroups cgroups(systemd_config(top), version_2(), &slices);
  slices.fails = "connecting to the system bus: no such file";
  const auto made = cgroups.create_pod(best_effort("a"));
  ASSERT_FALSE(made);
  EXPECT_EQ(made.error().message, "connecting to the system bus: no such file");
  EXPECT_FALSE(is_directory(top / "kubepods.slice"));
}

TEST(CgroupHierarchy, the_driver_systemd_is_refused_where_systemd_is_not_the_service_manager) {
  const TemporaryDirectory top;
  const auto made = PodCgroups(systemd_config(top), version_2(), nullptr).create_tiers();
  ASSERT_FALSE(made);
  EXPECT_NE(made.error().message.find("set cgroupDriver: cgroupfs"), std::string::npos);
}

}  // namespace
}  // namespace berth::node
