// SPDX-License-Identifier: Apache-2.0

// A node under attack. A healthy, probed pod runs beside each test and must not be affected.
#pragma once

#include <string>
#include <vector>

#include "tests/integration/probed_node.hpp"

namespace berth::integration {

class HostileInput : public ProbedNodeTest {
 protected:
  void SetUp() override {
    ProbedNodeTest::SetUp();
    start_berthd();
    healthy_ = run_pod(
        "healthy",
        simple_pod("healthy", kFileServer,
                   probe("readiness", "{httpGet: {path: /healthz, port: 8080}") + kShortGrace));
  }
  void TearDown() override {
    const auto healthy = pod("healthy");
    ASSERT_TRUE(healthy);
    EXPECT_TRUE(ready(*healthy));
    EXPECT_EQ(status_of(*healthy, "c")->containerID, status_of(healthy_, "c")->containerID);
    EXPECT_EQ(ready_since(*healthy), ready_since(healthy_)) << "a probe failed, or came late";
    ProbedNodeTest::TearDown();
  }

  [[nodiscard]] std::string socket() const { return (dir() / "berthd.sock").string(); }
  [[nodiscard]] bool answers() const { return berthctl({"get", "pods"}).exit_code == 0; }
  // The call as a command line, for background commands.
  [[nodiscard]] std::vector<std::string> berthctl_line(std::vector<std::string> words) const {
    words.insert(words.begin(), {berthctl_program(), "--socket", socket()});
    return words;
  }

  // Expects the doctor to name the file and report this text about it.
  void expect_refused(const std::string& file, const std::string& text) const {
    const auto told = [&] { return berthctl({"doctor"}).out; };
    wait_until(file + " is told of", [&] {
      const std::string out = told();
      return out.find(file) != std::string::npos && out.find(text) != std::string::npos;
    });
  }
  [[nodiscard]] static std::string stating_uid(const std::string& name, const std::string& uid) {
    std::string text = simple_pod(name, kForEver, kShortGrace);
    const std::string line = "name: " + name;
    return text.replace(text.find(line), line.size(), line + ", uid: \"" + uid + "\"");
  }

 private:
  [[nodiscard]] static std::string ready_since(const api::Pod& pod) {
    for (const auto& condition : pod.status.conditions)
      if (condition.type == "Ready") return condition.lastTransitionTime->to_string();
    return {};
  }

  api::Pod healthy_{};
};

}  // namespace berth::integration
