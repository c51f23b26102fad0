// SPDX-License-Identifier: Apache-2.0

// The facts that a machine's files show: made-up machines, and the one that the test runs on.
#include "agent/doctor/machine_look.hpp"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <sys/timex.h>
#include <unistd.h>

#include <cerrno>
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
                            .log_folder = folder.path("logs"),
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

TEST_F(MachineLook, a_system_bus_is_a_socket_at_its_place) {
  const MachineQuestion question{.proc = folder.path("proc"), .system_bus = folder.path("bus")};
  EXPECT_FALSE(look_at_machine(question).has_system_bus);
  write("bus", "");
  EXPECT_TRUE(look_at_machine(question).has_system_bus);
}

TEST_F(MachineLook, without_files_nothing_is_known) {
  const auto facts = look();
  EXPECT_EQ(facts.cgroups.layout, CgroupLayout::kNone);
  EXPECT_EQ(facts.kernel, "");
  EXPECT_FALSE(facts.counts_stalls);
  EXPECT_FALSE(facts.capabilities);
  EXPECT_FALSE(facts.swap);
  EXPECT_TRUE(facts.others.kubelets.empty());
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
  EXPECT_EQ(facts.others.kubelets, (std::vector<ProcessFacts>{{.pid = 812, .name = "kubelet"}}));
  ASSERT_TRUE(facts.disks.root);
  EXPECT_EQ(facts.disks.root->path, folder.path("")) << "the nearest parent that exists";
  EXPECT_GT(facts.disks.root->reading.capacity.value_or(0), 0);
  EXPECT_NE(facts.disks.root->device.find(':'), std::string::npos);
  ASSERT_TRUE(facts.disks.logs);
  EXPECT_EQ(facts.disks.logs->device, facts.disks.root->device);
  EXPECT_FALSE(facts.disks.images) << "the runtime did not say";
}

// A process in a container has its own pid namespace, or another mount namespace than process 1.
TEST_F(MachineLook, a_kubelet_in_a_container_is_not_this_machine_s) {
  const auto process = [this](const std::string& pid, const char* name, const char* pids,
                              const char* mounts) {
    write("proc/" + pid + "/comm", std::string(name) + "\n");
    write("proc/" + pid + "/status", std::string("Name:\t") + name + "\nNSpid:\t" + pids + "\n");
    std::filesystem::create_directories(folder.path("proc/" + pid + "/ns"));
    std::filesystem::create_symlink(mounts, folder.path("proc/" + pid + "/ns/mnt"));
  };
  process("1", "systemd", "1", "mnt:[1]");
  process("20", "kubelet", "20", "mnt:[1]");
  process("30", "kubelet", "30\t7", "mnt:[1]");
  process("40", "kubelet", "40", "mnt:[2]");
  process("50", "k3s-server", "50", "mnt:[1]");
  process("60", "kubelite", "60\t1", "mnt:[2]");
  const auto others = look().others;
  EXPECT_EQ(others.kubelets, (std::vector<ProcessFacts>{{.pid = 20, .name = "kubelet"}}));
  EXPECT_EQ(others.embedders, (std::vector<ProcessFacts>{{.pid = 50, .name = "k3s-server"}}));
}

TEST_F(MachineLook, names_who_listens_on_a_kubelet_s_port) {
  write(
      "proc/net/tcp",
      "  sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout "
      "inode\n"
      "   0: 0100007F:2808 00000000:0000 0A 00000000:00000000 00:00000000 00000000     0        0 "
      "501 1\n"
      "   1: 00000000:1F90 00000000:0000 0A 00000000:00000000 00:00000000 00000000     0        0 "
      "502 1\n");
  write("proc/net/tcp6",
        "  sl  local_address rem_address st\n"
        "   0: 00000000000000000000000000000000:280A 00000000000000000000000000000000:0000 0A "
        "00000000:00000000 00:00000000 00000000     0        0 503 1\n");
  write("proc/50/comm", "k3s-server\n");
  std::filesystem::create_directories(folder.path("proc/50/fd"));
  std::filesystem::create_symlink("socket:[501]", folder.path("proc/50/fd/9"));
  std::filesystem::create_symlink("socket:[502]", folder.path("proc/50/fd/10"));
  auto ports = look().others.ports;
  EXPECT_EQ(ports, (std::map<std::int32_t, ProcessFacts>{{10248, {.pid = 50, .name = "k3s-server"}},
                                                         {10250, {}}}));
  write("proc/50/status", "NSpid:\t50\t1\n");
  ports = look().others.ports;
  EXPECT_EQ(ports, (std::map<std::int32_t, ProcessFacts>{{10250, {}}})) << "it is in a container";
}

TEST_F(MachineLook, a_refused_question_about_the_clock_is_distinguished_from_an_answer) {
  const auto ask = [this](int (*answer)(timex*)) {
    return look_at_machine({.proc = folder.path("proc"), .ask_clock = answer}).clock;
  };
  // The clock is kept by chrony, which leaves the hardware clock alone.
  const auto kept = ask([](timex* state) {
    state->status = STA_UNSYNC;
    state->maxerror = 15'999'999;
    return TIME_ERROR;
  });
  EXPECT_EQ(kept.synchronised, true);
  EXPECT_EQ(kept.refusal, "");
  const auto free = ask([](timex* state) {
    state->maxerror = 16'000'000;
    return TIME_ERROR;
  });
  EXPECT_EQ(free.synchronised, false);
  const auto refused = ask([](timex*) { return errno = EPERM, -1; });
  EXPECT_FALSE(refused.synchronised);
  EXPECT_EQ(refused.refusal, "adjtimex: Operation not permitted");
}

// Looks at the real machine.
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
