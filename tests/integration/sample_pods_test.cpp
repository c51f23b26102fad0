// SPDX-License-Identifier: Apache-2.0

// The sample pods of examples/, from manifest to termination.
#include <fstream>
#include <sstream>

#include "tests/integration/test_node.hpp"
#include "tests/test_paths.hpp"

namespace berth::integration {
namespace {

std::string example(const std::string& name) {
  std::ifstream in(source_dir() / "examples" / name);
  std::ostringstream text;
  text << in.rdbuf();
  return text.str();
}

class SamplePods : public NodeTest {};

TEST_F(SamplePods, a_web_server_serves_what_its_sidecar_writes) {
  start_berthd();
  write_manifest("web.yaml", example("web.yaml"));
  const auto web = wait_for("web", "ready", ready);
  EXPECT_EQ(web.status.phase, "Running");
  EXPECT_EQ(web.status.qosClass, "Burstable");
  EXPECT_FALSE(web.status.podIP.empty());
  ASSERT_NE(status_of(web, "clock"), nullptr);
  EXPECT_TRUE(status_of(web, "clock")->started.value_or(false));
  // The sidecar was running before the server.
  const auto& sidecar = status_of(web, "clock")->state.running;
  const auto& server = status_of(web, "server")->state.running;
  ASSERT_TRUE(sidecar && server);
  EXPECT_LE(sidecar->startedAt, server->startedAt);

  const auto page = berthctl(
      {"exec", "web", "-c", "server", "--", "wget", "-q", "-O", "-", "http://127.0.0.1:8080/"});
  EXPECT_EQ(page.exit_code, 0) << page.err;
  EXPECT_NE(page.out.find("20"), std::string::npos) << page.out;
  const auto probes = berthctl({"get", "probes", "web"});
  for (const char* kind : {"Startup", "Readiness", "Liveness"})
    EXPECT_NE(probes.out.find(kind), std::string::npos) << probes.out;
}

TEST_F(SamplePods, a_job_completes_and_stays_completed) {
  start_berthd();
  write_manifest("job.yaml", example("job.yaml"));
  const auto job = wait_for("job", "Succeeded",
                            [](const api::Pod& pod) { return pod.status.phase == "Succeeded"; });
  const auto& state = status_of(job, "count")->state.terminated;
  ASSERT_TRUE(state);
  EXPECT_EQ(state->exitCode, 0);
  EXPECT_EQ(state->reason, "Completed");
  EXPECT_EQ(berthctl({"logs", "job"}).out, "1 of 3\n2 of 3\n3 of 3\n");
  const auto row = berthctl({"get", "pods", "job", "--no-headers"});
  EXPECT_NE(row.out.find("Completed"), std::string::npos) << row.out;
}

TEST_F(SamplePods, init_steps_run_one_after_another_before_the_main_container) {
  start_berthd();
  write_manifest("steps.yaml", example("steps.yaml"));
  wait_for("steps", "in its second step", [](const api::Pod& pod) {
    const auto* first = status_of(pod, "fetch");
    const auto* second = status_of(pod, "unpack");
    return first != nullptr && first->state.terminated && second != nullptr &&
           second->state.running;
  });
  const auto row = berthctl({"get", "pods", "steps", "--no-headers"});
  EXPECT_NE(row.out.find("Init:1/2"), std::string::npos) << row.out;
  const auto steps = wait_for("steps", "ready", ready);
  const auto& fetch = status_of(steps, "fetch")->state.terminated;
  const auto& unpack = status_of(steps, "unpack")->state.terminated;
  ASSERT_TRUE(fetch && unpack);
  EXPECT_LE(fetch->finishedAt, unpack->startedAt);
  EXPECT_LE(unpack->finishedAt, status_of(steps, "main")->state.running->startedAt);
  expect_logs({"steps", "-c", "main"}, "fetched\nunpacked\n");
}

}  // namespace
}  // namespace berth::integration
