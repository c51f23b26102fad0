// SPDX-License-Identifier: Apache-2.0

// What would end berthd at its start, found without a start.
#include "agent/doctor/start_look.hpp"

#include <filesystem>

#include <gtest/gtest.h>

#include "agent/doctor/doctor.hpp"
#include "agent/doctor/offline_doctor.hpp"
#include "agent/settings/options.hpp"
#include "tests/unit/agent/temporary_folder.hpp"

namespace berth::agent {
namespace {

class StartLook : public testing::Test {
 protected:
  // The cgroup file system of version 1, with one controller.
  StartLook() {
    std::filesystem::create_directories(folder.path("cgroup/cpu/sys"));
    folder.write("cgroup/cpu/cgroup.procs", "");
    settings.paths.cgroup_mount = folder.path("cgroup");
    settings.paths.root = folder.path();
    settings.paths.control_socket = folder.path("berthd.sock");
  }
  [[nodiscard]] std::vector<std::string> look() const {
    return look_at_start(settings, node::CgroupDriver::kCgroupfs);
  }
  [[nodiscard]] std::string only() const {
    const auto obstacles = look();
    return obstacles.size() == 1 ? obstacles[0] : std::to_string(obstacles.size()) + " obstacles";
  }

  TemporaryFolder folder{};
  Settings settings{};
};

TEST_F(StartLook, finds_nothing_where_all_is_well) {
  EXPECT_TRUE(look().empty()) << look().front();
}

TEST_F(StartLook, names_what_is_reserved_beyond_what_the_machine_has) {
  settings.pods.system_reserved = {{"cpu", "1000000"}};
  EXPECT_TRUE(only().starts_with("invalid Node Allocatable configuration. Resource \"cpu\" has "))
      << only();
}

TEST_F(StartLook, names_what_the_machine_cannot_do) {
  settings.pods.single_process_oom_kill = false;
  EXPECT_TRUE(only().starts_with("singleProcessOOMKill: false, but this machine has cgroups of "))
      << only();
}

TEST_F(StartLook, names_both_what_the_machine_cannot_do_and_what_it_has_not) {
  settings.pods.single_process_oom_kill = false;
  settings.pods.system_reserved = {{"cpu", "1000000"}};
  EXPECT_TRUE(only().starts_with("singleProcessOOMKill: false, but ")) << only();
  EXPECT_NE(only().find("; invalid Node Allocatable configuration. Resource \"cpu\" has "),
            std::string::npos)
      << only();
}

TEST_F(StartLook, names_a_cgroup_with_limits_that_is_not_there) {
  settings.pods.system_reserved = {{"cpu", "1m"}};
  settings.reserved = {{.whom = node::ReservedFor::kSystem, .cgroup = "/none"}};
  EXPECT_EQ(only(),
            "Failed to enforce System Reserved Cgroup Limits on \"/none\": \"/none\" cgroup does "
            "not exist: there is no " +
                folder.path("cgroup/cpu/none") +
                "; create it before berthd starts, or leave it out of enforceNodeAllocatable");
  settings.reserved[0].cgroup = "/sys";
  EXPECT_TRUE(look().empty()) << look().front();
  settings.reserved[0].whom = node::ReservedFor::kKube;
  EXPECT_TRUE(only().contains("kubeReserved reserves nothing for it")) << only();
}

TEST_F(StartLook, names_what_is_in_the_way_of_the_control_socket_and_its_unknown_group) {
  settings.control_socket_group = "no-such-group";
  EXPECT_TRUE(only().starts_with("controlSocketGroup: there is no group \"no-such-group\""))
      << only();
  folder.write("berthd.sock", "somebody's");
  EXPECT_EQ(only(), folder.path("berthd.sock") +
                        " is in the way of the control socket; move it, or set controlSocket");
}

TEST_F(StartLook, each_is_a_trouble_of_a_check_before_a_start) {
  folder.write("berthd.sock", "somebody's");
  folder.write("config.yaml",
               "apiVersion: kubelet.config.k8s.io/v1beta1\nkind: KubeletConfiguration\n"
               "containerRuntimeEndpoint: unix://" +
                   folder.path("none.sock") + "\nstaticPodPath: " + folder.path() +
                   "\n---\napiVersion: berth.dev/v1alpha1\nkind: BerthConfiguration\n"
                   "controlSocket: " +
                   folder.path("berthd.sock") + "\n");
  Options options;
  options.config_file = folder.path("config.yaml");
  std::vector<Finding> found = examine_before_start(options);
  std::erase_if(found, [](const Finding& finding) { return finding.area != "configuration"; });
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(found[0].severity, Severity::kTrouble);
  EXPECT_TRUE(found[0].text.starts_with("berthd ends as soon as it starts: ")) << found[0].text;
  EXPECT_FALSE(found[0].advice.empty());
}

}  // namespace
}  // namespace berth::agent
