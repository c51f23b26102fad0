// SPDX-License-Identifier: Apache-2.0

// A machine as its files show it: made-up ones, and the one that the test runs on.
#include "agent/doctor/machine_look.hpp"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include <gtest/gtest.h>

#include "base/descriptor.hpp"
#include "tests/unit/agent/temporary_folder.hpp"

namespace berth::agent {
namespace {

class MachineLook : public testing::Test {
 protected:
  void write(const std::string& name, const std::string& text) const {
    const std::filesystem::path path = folder.path(name);
    std::filesystem::create_directories(path.parent_path());
    std::ofstream(path) << text;
  }
  [[nodiscard]] MachineFacts look(bool as_berthd = true) const {
    return look_at_machine({.proc = folder.path("proc"),
                            .cgroup_mount = folder.path("cgroup"),
                            .root_folder = folder.path("root/that/is/missing"),
                            .as_berthd = as_berthd});
  }

  TemporaryFolder folder;
};

TEST_F(MachineLook, a_version_2_tree_lists_its_controllers) {
  write("cgroup/cgroup.controllers", "cpuset cpu io memory pids\n");
  const auto facts = look().cgroups;
  EXPECT_EQ(facts.layout, CgroupLayout::kV2);
  EXPECT_EQ(facts.controllers, (std::set<std::string>{"cpuset", "cpu", "io", "memory", "pids"}));
}

TEST_F(MachineLook, version_1_has_a_tree_for_each_controller_or_two) {
  for (const char* tree : {"cpu,cpuacct", "memory", "systemd", "unified"})
    write(std::string("cgroup/") + tree + "/cgroup.procs", "1\n");
  std::filesystem::create_directories(folder.path("cgroup/not-mounted"));
  const auto facts = look().cgroups;
  EXPECT_EQ(facts.layout, CgroupLayout::kV1);
  EXPECT_EQ(facts.controllers, (std::set<std::string>{"cpu", "cpuacct", "memory"}));
}

TEST_F(MachineLook, without_files_nothing_is_known) {
  const auto facts = look();
  EXPECT_EQ(facts.cgroups.layout, CgroupLayout::kNone);
  EXPECT_EQ(facts.kernel, "");
  EXPECT_FALSE(facts.counts_stalls);
  EXPECT_FALSE(facts.capabilities);
  EXPECT_FALSE(facts.swap);
  EXPECT_TRUE(facts.kubelets.empty());
}

TEST_F(MachineLook, reads_the_kernel_s_files) {
  write("proc/sys/kernel/osrelease", "6.1.0-21-amd64\n");
  write("proc/pressure/memory", "some avg10=0.00\n");
  write("proc/1/status", "Name:\tsystemd\nCapBnd:\t000001fffeffffff\n");
  write("proc/self/status", "Name:\tberthd\nCapEff:\t0000000000000001\nCapBnd:\t00ff\n");
  write("proc/meminfo", "MemTotal:  100 kB\nSwapTotal:       2048 kB\nSwapFree: 1 kB\n");
  write("proc/812/comm", "kubelet\n");
  write("proc/813/comm", "kubelet-helper\n");
  write("proc/kubelet/comm", "kubelet\n");
  const auto facts = look();
  EXPECT_EQ(facts.kernel, "6.1.0-21-amd64");
  EXPECT_TRUE(facts.counts_stalls);
  EXPECT_EQ(facts.capabilities, 1U);
  EXPECT_EQ(facts.granted, 0x1fffeffffffU);
  EXPECT_EQ(look(false).capabilities, 0x1fffeffffffU) << "not berthd: what the machine grants";
  EXPECT_EQ(facts.swap, 2048 * 1024);
  EXPECT_EQ(facts.kubelets, (std::vector<ProcessFacts>{{.pid = 812, .name = "kubelet"}}));
  ASSERT_TRUE(facts.root_folder);
  EXPECT_EQ(facts.root_folder->path, folder.path("")) << "the nearest parent that exists";
  EXPECT_GT(facts.root_folder->capacity, 0);
}

// This machine.
TEST_F(MachineLook, names_who_listens_on_the_port) {
  const Descriptor socket(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0));
  sockaddr_in address{.sin_family = AF_INET, .sin_addr = {.s_addr = htonl(INADDR_LOOPBACK)}};
  socklen_t size = sizeof(address);
  auto* const name = reinterpret_cast<sockaddr*>(&address);
  ASSERT_EQ(::bind(socket.get(), name, size), 0);
  ASSERT_EQ(::getsockname(socket.get(), name, &size), 0);
  const std::int32_t port = ntohs(address.sin_port);
  EXPECT_FALSE(look_at_machine({.http_port = port}).http_port_taken) << "nobody listens yet";
  ASSERT_EQ(::listen(socket.get(), 1), 0);
  const auto taken = look_at_machine({.http_port = port}).http_port_taken;
  ASSERT_TRUE(taken);
  EXPECT_EQ(taken->pid, ::getpid());
  EXPECT_FALSE(taken->name.empty());
}

}  // namespace
}  // namespace berth::agent
