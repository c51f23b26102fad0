// SPDX-License-Identifier: Apache-2.0

#include "agent/serve/probe_metrics.hpp"

#include <gtest/gtest.h>

namespace berth::agent {
namespace {

constexpr WallTime kStarted{std::chrono::milliseconds{1'795'230'000'500}};
constexpr const char* kStart =
    "# HELP process_start_time_seconds [ALPHA] Start time of the process since unix epoch in "
    "seconds.\n"
    "# TYPE process_start_time_seconds gauge\n"
    "process_start_time_seconds 1.7952300005e+09\n";

probes::ProbeView view() {
  return {.pod = {.uid = "u1", .namespace_ = "default", .name = "web-node1"},
          .container = "c",
          .type = probes::ProbeType::kReadiness};
}

TEST(ProbeMetrics, begin_with_the_first_observation) {
  auto errored = view();
  errored.counters.errored = 3;
  EXPECT_EQ(probe_metrics_text({}, kStarted), kStart);
  EXPECT_EQ(probe_metrics_text({errored}, kStarted), kStart);
}

TEST(ProbeMetrics, are_written_as_the_kubelet_writes_them) {
  auto ready = view();
  ready.counters.successful = 3;
  ready.counters.failed = 1;
  ready.counters.seconds = 0.0125;
  ready.counters.within.at(0) = 2;
  ready.counters.within.at(2) = 1;
  auto live = view();
  live.container = "a\"b";
  live.type = probes::ProbeType::kLiveness;
  live.counters.failed = 1'234'567;
  const std::string bucket =
      R"(prober_probe_duration_seconds_bucket{container="c",namespace="default",pod="web-node1",)"
      R"(probe_type="Readiness",le=)";
  std::string expected =
      std::string(kStart) +
      "# HELP prober_probe_duration_seconds [ALPHA] Duration in seconds for a probe response.\n"
      "# TYPE prober_probe_duration_seconds histogram\n";
  for (const char* rest :
       {"\"0.005\"} 2", "\"0.01\"} 2", "\"0.025\"} 3", "\"0.05\"} 3", "\"0.1\"} 3", "\"0.25\"} 3",
        "\"0.5\"} 3", "\"1\"} 3", "\"2.5\"} 3", "\"5\"} 3", "\"10\"} 3", "\"+Inf\"} 3"}) {
    expected += bucket + rest + "\n";
  }
  const std::string labels =
      R"({container="c",namespace="default",pod="web-node1",probe_type="Readiness"})";
  expected += "prober_probe_duration_seconds_sum" + labels + " 0.0125\n";
  expected += "prober_probe_duration_seconds_count" + labels + " 3\n";
  expected +=
      "# HELP prober_probe_total [BETA] Cumulative number of a liveness, readiness or startup "
      "probe for a container by result.\n"
      "# TYPE prober_probe_total counter\n"
      R"(prober_probe_total{container="a\"b",namespace="default",pod="web-node1",pod_uid="u1",)"
      R"(probe_type="Liveness",result="failed"} 1.234567e+06)"
      "\n"
      R"(prober_probe_total{container="c",namespace="default",pod="web-node1",pod_uid="u1",)"
      R"(probe_type="Readiness",result="failed"} 1)"
      "\n"
      R"(prober_probe_total{container="c",namespace="default",pod="web-node1",pod_uid="u1",)"
      R"(probe_type="Readiness",result="successful"} 3)"
      "\n";
  EXPECT_EQ(probe_metrics_text({ready, live}, kStarted), expected);
}

TEST(ProbeMetrics, go_with_their_probe) {
  auto over = view();
  over.counters.successful = 3;
  over.ended = true;
  EXPECT_EQ(probe_metrics_text({over}, kStarted), kStart);
}

TEST(ProbeMetrics, of_two_incarnations_of_one_name_have_one_duration) {
  auto old = view();
  old.counters.successful = 1;
  auto next = old;
  next.pod.uid = "u2";
  const std::string text = probe_metrics_text({old, next}, kStarted);
  EXPECT_NE(text.find("prober_probe_duration_seconds_count{container=\"c\",namespace=\"default\","
                      "pod=\"web-node1\",probe_type=\"Readiness\"} 2\n"),
            std::string::npos)
      << text;
}

}  // namespace
}  // namespace berth::agent
