// SPDX-License-Identifier: Apache-2.0

// A node for a test: a private containerd (one for all tests of a program), and for each test its
// own berthd with its own manifest folder, watched and queried through berthctl as a user would.
//
// No test sleeps: each waits for a line of `get pods -w`, with a deadline. Every test ends by
// removing its pods and checking that nothing is left (no container, sandbox, cgroup or mount),
// that no relist found a change without an event, and that every decision in the ledger is
// reproduced when taken again from its record, and is not when one of its inputs is missing (tried
// with the first decision of each kind).
#pragma once

#include <chrono>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <boost/json.hpp>

#include "api/pod.hpp"
#include "base/clock_types.hpp"
#include "tests/integration/process.hpp"

namespace berth::integration {

// The private containerd; started with the first test, stopped after the last.
class Containerd {
 public:
  static Containerd& instance();
  static void take_down();

  [[nodiscard]] const std::string& endpoint() const { return endpoint_; }
  [[nodiscard]] const std::string& cgroup_root() const { return cgroup_root_; }
  [[nodiscard]] const std::filesystem::path& dir() const { return dir_; }
  [[nodiscard]] Finished ctr(std::vector<std::string> arguments) const;
  // The same command as a command line, for running it in the background.
  [[nodiscard]] std::vector<std::string> ctr_command(std::vector<std::string> arguments) const;
  // The daemon's log lines that contain that text, for example an id.
  [[nodiscard]] std::string log_of(const std::string& text) const;
  // All images of the tests, also those that a test removed.
  void import_images() const;
  void stop_daemon() const;
  void kill_daemon() const;
  void start_daemon() const;
  // A frozen daemon accepts connections and never answers.
  void freeze_daemon() const;
  void thaw_daemon() const;
  // The machine loses its power and boots: what was on disk remains, including everything below
  // `folder`.
  void reboot_machine(const std::filesystem::path& folder) const;

  ~Containerd();

 private:
  Containerd();

  void control(const std::string& verb, const std::vector<std::string>& more = {}) const;

  std::filesystem::path dir_;
  std::string endpoint_;
  std::string cgroup_root_;
  std::string ctr_;
};

class NodeTest : public testing::Test {
 protected:
  NodeTest();
  ~NodeTest() override;

  // Starts berthd with the node's configuration; `more` is appended to its KubeletConfiguration,
  // `berth` to its BerthConfiguration.
  void start_berthd(const std::string& more = {}, const std::string& berth = {});
  // Like start_berthd, but does not wait until berthd is ready, so that it can be killed at any
  // moment.
  virtual void launch_berthd();
  void kill_berthd_after(std::chrono::milliseconds delay);
  // Sends TERM then, and expects berthd to end in order, or by the signal if it had not got as far
  // as to handle it.
  void terminate_berthd_after(std::chrono::milliseconds delay);
  void stop_berthd();              // sends TERM, as systemd would
  void kill_berthd();              // sends KILL
  void signal_berthd(int signal);  // does not wait for the effect
  // Reboots the runtime and everything that runs too, as after a loss of power; afterwards the
  // runtime is up again, and berthd is not.
  void reboot_machine();
  [[nodiscard]] bool berthd_running();
  [[nodiscard]] pid_t berthd_pid() const { return berthd_->pid(); }

  // The manifest folder. A file appears as a whole, by rename, as if a careful user wrote it.
  void write_manifest(const std::string& file, const std::string& text);
  void remove_manifest(const std::string& file);
  // Writes NAME.yaml; returns the pod once it is ready.
  api::Pod run_pod(const std::string& name, const std::string& text);
  // Removes the file, and waits until the pod is gone.
  void end_pod(const std::string& name);
  void rename_manifest(const std::string& from, const std::string& to);

  [[nodiscard]] static std::string berthctl_program();
  [[nodiscard]] Finished berthctl(std::vector<std::string> arguments,
                                  const std::string& input = {}) const;
  // `berthctl status -o json`.
  [[nodiscard]] boost::json::value status() const;
  [[nodiscard]] std::vector<api::Pod> pods() const;
  [[nodiscard]] std::optional<api::Pod> pod(const std::string& name) const;

  // Returns the first state of the pod (by its short name) that satisfies the condition, or fails
  // the test with the last state seen.
  using Condition = std::function<bool(const api::Pod&)>;
  api::Pod wait_for(const std::string& name, const std::string& what, const Condition& condition,
                    std::chrono::seconds limit = std::chrono::seconds(30));
  // `berthctl logs ARGUMENTS` prints exactly this, eventually: a running container may not have
  // written yet.
  void expect_logs(const std::vector<std::string>& arguments, const std::string& text) const;
  void remove_manifests() const;
  // Whether the condition held by the deadline; checked whenever a pod changes.
  bool wait_until(const std::function<bool()>& holds, SteadyTime deadline) const;
  void wait_gone(const std::string& name, std::chrono::seconds limit = std::chrono::seconds(30));

  [[nodiscard]] const std::filesystem::path& dir() const { return dir_; }
  [[nodiscard]] std::filesystem::path manifests() const { return dir_ / "manifests"; }
  [[nodiscard]] std::filesystem::path config_file() const { return dir_ / "config.yaml"; }
  [[nodiscard]] std::string berthd_log() const;
  [[nodiscard]] static std::string full_name(const std::string& name) { return name + "-node1"; }

  void SetUp() override;
  void TearDown() override;

 private:
  void write_config(const std::string& more, const std::string& berth) const;
  void expect_nothing_left() const;
  void expect_no_event_missed() const;
  void expect_decisions_retaken() const;

  std::filesystem::path dir_;
  std::unique_ptr<Background> berthd_;
};

// For conditions that no event reports: looks again and again until it holds or the limit is over,
// with pauses in which others have the processor.
[[nodiscard]] bool soon(const std::function<bool()>& holds, std::chrono::seconds limit);

// A loopback port that is currently free.
[[nodiscard]] std::string free_port();

// Common predicates of tests.
[[nodiscard]] bool ready(const api::Pod& pod);
[[nodiscard]] const api::ContainerStatus* status_of(const api::Pod& pod, const std::string& name);
[[nodiscard]] std::string waiting_reason(const api::Pod& pod, const std::string& container);
[[nodiscard]] std::string waiting_message(const api::Pod& pod, const std::string& container);

// Shell lines for containers that run until TERM, and for ones that ignore it.
inline constexpr const char* kForEver =
    "trap 'exit 0' TERM; while true; do sleep 1 & wait $!; done";
inline constexpr const char* kDeaf = "trap '' TERM; while true; do sleep 1; done";

// "kind: Pod" with one busybox container `c` that runs `command` (a shell line); `spec` is more
// YAML below spec, each line indented by two.
[[nodiscard]] std::string simple_pod(const std::string& name, const std::string& command,
                                     const std::string& spec = {});

}  // namespace berth::integration
