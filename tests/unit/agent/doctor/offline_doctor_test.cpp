// SPDX-License-Identifier: Apache-2.0

// Doctor's findings without a berthd: alone, and on a misconfigured machine.
#include "agent/doctor/offline_doctor.hpp"

#include <sys/socket.h>
#include <systemd/sd-bus.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>

#include <gtest/gtest.h>

#include "agent/doctor/login_look.hpp"
#include "base/descriptor.hpp"
#include "tests/unit/agent/temporary_folder.hpp"

namespace berth::agent {
namespace {

constexpr const char* kHead =
    "apiVersion: kubelet.config.k8s.io/v1beta1\nkind: KubeletConfiguration\n";

class OfflineDoctor : public testing::Test {
 protected:
  void write(const std::string& name, const std::string& text) const {
    const std::filesystem::path path = folder.path(name);
    std::filesystem::create_directories(path.parent_path());
    std::ofstream(path) << text;
  }
  void configure(const std::string& more) const {
    write("config.yaml", kHead + more + "staticPodPath: " + folder.path("manifests") +
                             "\ncontainerRuntimeEndpoint: unix://" + folder.path("none.sock") +
                             "\n");
  }
  [[nodiscard]] std::vector<Finding> examine() const {
    return examine_offline({.config_file = folder.path("config.yaml"), .why = "it is down"});
  }
  // "area: text" of findings worse than a note.
  [[nodiscard]] std::vector<std::string> troubles() const {
    std::vector<std::string> troubles;
    for (const auto& finding : examine()) {
      if (finding.severity == Severity::kTrouble)
        troubles.push_back(finding.area + ": " + finding.text);
    }
    return troubles;
  }

  TemporaryFolder folder;
};

TEST_F(OfflineDoctor, says_that_berthd_is_silent_and_what_it_saw_itself) {
  configure("");
  write("manifests/a.yaml", "apiVersion: v1\nkind: Pod\nmetadata: {name: a}\nspce: {}\n");
  const auto found = troubles();
  ASSERT_EQ(found.size(), 3U);
  EXPECT_EQ(found[0], "berthd: it is down");
  EXPECT_TRUE(found[1].starts_with("runtime: does not answer: ")) << found[1];
  EXPECT_TRUE(found[2].starts_with("manifests: 4:1: spce: ")) << found[2];
}

TEST_F(OfflineDoctor, looks_on_with_what_a_refused_configuration_says) {
  configure("maxPodz: 5\nmaxPods: -1\n");
  const auto found = troubles();
  ASSERT_EQ(found.size(), 6U);
  EXPECT_TRUE(found[1].starts_with("berthd: it refuses to start")) << found[1];
  EXPECT_TRUE(found[2].starts_with("runtime: ")) << found[2];
  EXPECT_NE(found[3].find("config.yaml:3:1: maxPodz"), std::string::npos) << found[3];
  EXPECT_NE(found[4].find("config.yaml:4:1: maxPods"), std::string::npos) << found[4];
  EXPECT_EQ(found[5], "manifests: the folder does not exist");
}

TEST_F(OfflineDoctor, takes_no_file_for_the_one_to_change_where_drop_ins_are) {
  configure("");
  write("config.yaml.d/1.yaml", std::string(kHead) + "maxPods: -1\nhairpinMode: none\n");
  std::vector<std::string> found;
  for (const auto& finding : examine())
    if (finding.area == "configuration") found.push_back(finding.subject + ": " + finding.text);
  const auto has = [&found](const std::string& text) {
    return std::ranges::any_of(found, [&](const auto& one) { return one.starts_with(text); });
  };
  EXPECT_TRUE(has(": " + folder.path("config.yaml.d/1.yaml") + ":3:1: maxPods: "));
  EXPECT_TRUE(has(": hairpinMode: has no effect")) << testing::PrintToString(found);
}

TEST_F(OfflineDoctor, names_a_configuration_that_is_not_there) {
  const auto found = troubles();
  ASSERT_GE(found.size(), 2U);
  EXPECT_TRUE(found[1].starts_with("berthd: it refuses to start")) << found[1];
}

TEST_F(OfflineDoctor, names_pods_that_this_version_does_not_run) {
  configure("");
  write("manifests/a.yaml",
        "apiVersion: v1\nkind: Pod\nmetadata: {name: a}\nspec:\n  hostUsers: false\n  containers:\n"
        "  - {name: c, image: 'busybox:1'}\n");
  const auto findings = examine();
  const auto named = std::ranges::find_if(findings, [](const Finding& finding) {
    return finding.text.starts_with("is not run: NotSupported: ");
  });
  ASSERT_NE(named, findings.end());
  EXPECT_TRUE(named->subject.starts_with("default/a-")) << named->subject;
}

// The doctor does not ask logind if no pods have to be stopped in order.
TEST_F(OfflineDoctor, says_that_nobody_announces_the_machine_s_end_where_pods_are_to_be_stopped) {
  ::setenv("DBUS_SYSTEM_BUS_ADDRESS", ("unix:path=" + folder.path("none.bus")).c_str(), 1);
  const auto complaints = [this] {
    auto findings = examine();
    std::erase_if(findings, [](const Finding& finding) {
      return finding.area != "configuration" ||
             finding.text.find("before the machine") == std::string::npos;
    });
    return findings;
  };
  configure("shutdownGracePeriod: 30s\n");
  const auto found = complaints();
  configure("");
  const auto unasked = complaints();
  ::unsetenv("DBUS_SYSTEM_BUS_ADDRESS");
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(found[0].severity, Severity::kWarning);
  EXPECT_EQ(found[0].text,
            "pods are to be stopped in order before the machine shuts down "
            "(shutdownGracePeriod), but no service announces a shutdown (the system bus cannot "
            "be reached: No such file or directory), and they would be stopped only when "
            "berthd is, beside other services");
  EXPECT_TRUE(found[0].advice.starts_with("start systemd-logind")) << found[0].advice;
  EXPECT_TRUE(unasked.empty());
}

TEST(LoginLook, waits_no_longer_than_its_limit_for_a_bus_that_is_silent) {
  int ends[2] = {-1, -1};
  ASSERT_EQ(::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends), 0);
  const Descriptor silent(ends[1]);
  const auto state = look_at_login(std::chrono::milliseconds(20), [&ends]() -> Result<sd_bus*> {
    sd_bus* bus = nullptr;
    EXPECT_GE(sd_bus_new(&bus), 0);
    EXPECT_GE(sd_bus_set_fd(bus, ends[0], ends[0]), 0);
    EXPECT_GE(sd_bus_start(bus), 0);
    return bus;
  });
  EXPECT_EQ(state.error, "systemd-logind does not answer");
}

}  // namespace
}  // namespace berth::agent
