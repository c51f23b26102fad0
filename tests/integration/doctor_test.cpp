// SPDX-License-Identifier: Apache-2.0

// Doctor's findings while berthd is down, about its configuration, its folder and a misconfigured
// runtime; and that the suggested fixes are enough for berthd to run.
#include <csignal>
#include <cstdlib>
#include <fstream>

#include "tests/integration/changed_runtime.hpp"
#include "tests/integration/test_node.hpp"

namespace berth::integration {
namespace {

using namespace std::chrono_literals;

class Doctor : public NodeTest {
 protected:
  void set_up_runtime(const char* how, const char* value) { changed_.emplace(how, value); }
  void mend_runtime() { changed_.reset(); }
  void TearDown() override {
    mend_runtime();
    NodeTest::TearDown();
  }
  // containerd 2 does not report it.
  [[nodiscard]] bool reports_its_sandbox_image() const {
    return berthctl({"version", "-o", "json"}).out.find("\"1.") != std::string::npos;
  }
  [[nodiscard]] bool doctor_says(const std::string& text) const {
    return doctor().out.find(text) != std::string::npos;
  }
  [[nodiscard]] Finished doctor() const {
    return berthctl({"doctor", "--config", config_file().string()});
  }

 private:
  std::optional<ChangedRuntime> changed_{};
};

TEST_F(Doctor, works_while_berthd_is_down) {
  start_berthd();
  write_manifest("good.yaml", simple_pod("good", kForEver));
  wait_for("good", "ready", ready);
  stop_berthd();
  write_manifest("broken.yaml", "apiVersion: v1\nkind: Pod\nmetadata:\n  name: x\nspce: {}\n");
  write_manifest("notes.txt", "nothing");
  const auto found = doctor();
  EXPECT_EQ(found.exit_code, 1);
  EXPECT_NE(found.out.find("cannot reach berthd at"), std::string::npos) << found.out;
  EXPECT_NE(found.out.find("broken.yaml: 5:1: spce"), std::string::npos) << found.out;
  EXPECT_NE(found.out.find("notes.txt: is not read"), std::string::npos) << found.out;
  EXPECT_NE(found.out.find(": answers: containerd "), std::string::npos) << found.out;
  EXPECT_NE(found.out.find("state.db: not checked"), std::string::npos) << found.out;
  remove_manifest("broken.yaml");
}

TEST_F(Doctor, says_what_berthd_refuses_in_its_configuration) {
  start_berthd();
  stop_berthd();
  std::ofstream(config_file(), std::ios::app) << "maxPodz: 5\n";
  const auto found = doctor();
  EXPECT_EQ(found.exit_code, 1);
  EXPECT_NE(found.out.find("refuses to start with its configuration"), std::string::npos)
      << found.out;
  EXPECT_NE(found.out.find("config.yaml:"), std::string::npos) << found.out;
  EXPECT_NE(found.out.find("maxPodz"), std::string::npos) << found.out;
}

TEST_F(Doctor, a_containerd_without_its_cri_plugin_is_distinguished_from_none) {
  start_berthd();
  stop_berthd();
  set_up_runtime("BERTH_DISABLE_CRI", "true");
  EXPECT_TRUE(
      doctor_says("take \"cri\" out of the line disabled_plugins in /etc/containerd/config.toml"))
      << doctor().out;
  launch_berthd();
  const auto waits = [this] {
    return berthctl({"status"}).out.find("disabled_plugins") != std::string::npos;
  };
  EXPECT_TRUE(soon(waits, 20s)) << berthctl({"status"}).out << berthd_log();
  EXPECT_TRUE(doctor_says("disabled_plugins")) << doctor().out;
}

TEST_F(Doctor, a_missing_pod_network_and_a_missing_sandbox_image_are_named) {
  set_up_runtime("BERTH_NO_CNI", "true");
  start_berthd();
  EXPECT_EQ(Containerd::instance().ctr({"images", "rm", "--sync", "localhost/pause:1"}).exit_code,
            0);
  const auto missing = [this] {
    return doctor_says("the sandbox image localhost/pause:1 is not on this node");
  };
  const bool named = soon(missing, 20s);
  const auto found = doctor();
  Containerd::instance().import_images();
  EXPECT_TRUE(named || !reports_its_sandbox_image()) << found.out;
  EXPECT_NE(found.out.find("NetworkReady is false"), std::string::npos) << found.out;
  EXPECT_NE(found.out.find("into " + (Containerd::instance().dir() / "cni").string()),
            std::string::npos)
      << found.out;
}

TEST_F(Doctor, pods_wait_for_a_runtime_with_our_cgroup_driver_and_start_when_it_has) {
  start_berthd();
  set_up_runtime("BERTH_SYSTEMD_CGROUP", "true");
  const auto noticed = [this] {
    return berthctl({"status"}).out.find("SystemdCgroup = false") != std::string::npos;
  };
  EXPECT_TRUE(soon(noticed, 30s)) << berthctl({"status"}).out << berthd_log();
  write_manifest("web.yaml", simple_pod("web", kForEver));
  wait_for("web", "Pending", [](const api::Pod& pod) { return pod.status.phase == "Pending"; });
  const auto refused = [this] {
    return berthctl({"events", "--for", "pod/web"}).out.find("SystemdCgroup = false") !=
           std::string::npos;
  };
  EXPECT_TRUE(soon(refused, 20s)) << berthctl({"events"}).out << berthd_log();
  const auto found = doctor();
  EXPECT_NE(found.out.find("the cgroup driver of the container runtime is systemd"),
            std::string::npos)
      << found.out;
  EXPECT_NE(berthctl({"status"}).out.find("SystemdCgroup = false"), std::string::npos);
  EXPECT_NE(berthctl({"why", "pod/web"}).out.find("the pod is not run: the cgroup driver"),
            std::string::npos);
  mend_runtime();
  wait_for("web", "ready", ready);
}

TEST_F(Doctor, the_runtimes_cgroup_driver_decides_where_it_is_reported_and_else_the_configured) {
  start_berthd();
  const bool reported = !reports_its_sandbox_image();
  stop_berthd();
  if (reported) {
    start_berthd("cgroupDriver: systemd\n");
    EXPECT_NE(berthd_log().find("cgroupDriver: systemd has no effect"), std::string::npos);
    write_manifest("web.yaml", simple_pod("web", kForEver));
    wait_for("web", "ready", ready);
    return;
  }
  if (std::filesystem::exists("/run/systemd/system")) GTEST_SKIP() << "systemd runs this machine";
  std::ifstream before(config_file());
  std::string text{std::istreambuf_iterator<char>(before), {}};
  std::ofstream(config_file()) << text.insert(text.find("---"), "cgroupDriver: systemd\n");
  launch_berthd();
  EXPECT_TRUE(soon([this] { return !berthd_running(); }, 20s));
  EXPECT_NE(berthd_log().find("write cgroupDriver: cgroupfs in " + config_file().string()),
            std::string::npos)
      << berthd_log();
  start_berthd();
}

TEST_F(Doctor, healthz_turns_with_a_runtime_that_hangs_and_back) {
  const std::string port = free_port();
  start_berthd("readOnlyPort: " + port + "\naddress: 127.0.0.1\n");
  const auto healthy = [&port](const std::string& path) {
    return run({"busybox", "wget", "-q", "-O", "-", "http://127.0.0.1:" + port + path}).exit_code ==
           0;
  };
  EXPECT_TRUE(healthy("/healthz"));
  Containerd::instance().freeze_daemon();
  const auto sick = [&] { return !healthy("/healthz"); };
  EXPECT_TRUE(soon(sick, 60s));
  EXPECT_FALSE(healthy("/healthz/syncloop"));
  EXPECT_TRUE(healthy("/healthz/log"));
  EXPECT_TRUE(healthy("/healthz/ping"));
  EXPECT_TRUE(healthy("/healthz?exclude=syncloop"));
  Containerd::instance().thaw_daemon();
  EXPECT_TRUE(soon([&] { return healthy("/healthz"); }, 20s));
}

TEST_F(Doctor, sigusr1_writes_the_agents_state_to_the_journal_and_berthd_goes_on) {
  start_berthd({}, "logLevel: error\n");
  write_manifest("web.yaml", simple_pod("web", kForEver));
  wait_for("web", "ready", ready);
  signal_berthd(SIGUSR1);
  const auto written = [this] {
    return berthd_log().find("State: that is all: 1 pods") != std::string::npos;
  };
  EXPECT_TRUE(soon(written, 10s)) << berthd_log();
  const std::string log = berthd_log();
  for (const char* line : {"State: node node1: ready", "State: runtime unix://",
                           "State: event stream: open", "State: store: ", "State: manifest folder",
                           "State: pod default/web-node1: Running, syncing; c=running"})
    EXPECT_NE(log.find(line), std::string::npos) << line << "\n" << log;
  EXPECT_TRUE(berthd_running());
  EXPECT_EQ(berthctl({"status"}).exit_code, 0);
}

}  // namespace
}  // namespace berth::integration
