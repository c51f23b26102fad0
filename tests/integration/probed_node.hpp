// SPDX-License-Identifier: Apache-2.0

// A node for tests of probes: pods with probes, and common checks.
#pragma once

#include <chrono>
#include <functional>
#include <string>

#include "tests/integration/test_node.hpp"

namespace berth::integration {

// A server on 8080 that serves a file as long as it exists; PID 1 does not end on TERM.
inline constexpr const char* kFileServer =
    "mkdir -p /tmp/w; echo fine > /tmp/w/healthz; exec httpd -f -p 8080 -h /tmp/w";
inline constexpr const char* kShortGrace = "  terminationGracePeriodSeconds: 1\n";

// "    readinessProbe: {exec: {...}, periodSeconds: 1, failureThreshold: 2}\n"; `handler` is a flow
// mapping without its closing brace, into which `more` is inserted.
[[nodiscard]] inline std::string probe(const std::string& type, const std::string& handler,
                                       const std::string& more = "") {
  return "    " + type + "Probe: " + handler + ", periodSeconds: 1, failureThreshold: 2" + more +
         "}\n";
}

[[nodiscard]] inline bool not_ready(const api::Pod& pod) {
  return pod.status.phase == "Running" && !ready(pod);
}

[[nodiscard]] inline int restarts(const api::Pod& pod) {
  return status_of(pod, "c")->restartCount;
}

class ProbedNodeTest : public NodeTest {
 protected:
  [[nodiscard]] std::string events_of(const std::string& pod) const {
    return berthctl({"events", "--for", "pod/" + pod}).out;
  }
  // The test fails if the condition never holds.
  static void wait_until(const std::string& what, const std::function<bool()>& is_so) {
    EXPECT_TRUE(soon(is_so, std::chrono::seconds(30))) << what;
  }
  void expect_event(const std::string& pod, const std::string& text) const {
    const std::string events = events_of(pod);
    EXPECT_NE(events.find(text), std::string::npos) << text << "\nin\n" << events;
  }
  void expect_no_event(const std::string& pod, const std::string& text) const {
    const std::string events = events_of(pod);
    EXPECT_EQ(events.find(text), std::string::npos) << text << "\nin\n" << events;
  }
  void in_container(const std::string& pod, const std::string& command) const {
    const auto done = berthctl({"exec", pod, "--", "sh", "-c", command});
    EXPECT_EQ(done.exit_code, 0) << done.err;
  }
};

}  // namespace berth::integration
