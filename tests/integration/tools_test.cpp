// SPDX-License-Identifier: Apache-2.0

// berthctl against a running agent: its output, and its exit codes.
#include "tests/integration/test_node.hpp"

namespace berth::integration {
namespace {

class Tools : public NodeTest {};

TEST_F(Tools, exec_passes_output_input_and_exit_code_on) {
  start_berthd();
  write_manifest("a.yaml", simple_pod("a", kForEver));
  wait_for("a", "ready", ready);
  const auto failed = berthctl({"exec", "a", "--", "sh", "-c", "echo out; echo err >&2; exit 7"});
  EXPECT_EQ(failed.exit_code, 7);
  EXPECT_EQ(failed.out, "out\n");
  EXPECT_EQ(failed.err, "err\n");
  const auto read = berthctl({"exec", "-i", "a", "--", "head", "-n", "1"}, "first\nsecond\n");
  EXPECT_EQ(read.exit_code, 0) << read.err;
  EXPECT_EQ(read.out, "first\n");
  const auto missing = berthctl({"exec", "a", "--", "no-such-program"});
  EXPECT_EQ(missing.exit_code, 126);
  EXPECT_NE(missing.err.find("no-such-program"), std::string::npos) << missing.err;
  const auto unknown = berthctl({"exec", "a", "-c", "nobody", "--", "true"});
  EXPECT_NE(unknown.exit_code, 0);
  EXPECT_NE(unknown.err.find("nobody"), std::string::npos) << unknown.err;
}

TEST_F(Tools, logs_tail_follow_and_previous) {
  start_berthd();
  write_manifest("talk.yaml",
                 simple_pod("talk", "for i in 1 2 3 4; do echo line $i; done; exec sleep 100",
                            "  terminationGracePeriodSeconds: 1\n"));
  wait_for("talk", "ready", ready);
  expect_logs({"talk", "--tail", "2"}, "line 3\nline 4\n");
  const auto none = berthctl({"logs", "-p", "talk"});
  EXPECT_EQ(none.exit_code, 1);
  EXPECT_NE(none.err.find("previous"), std::string::npos) << none.err;
  const auto unknown = berthctl({"logs", "talk", "-c", "nobody"});
  EXPECT_NE(unknown.err.find("nobody"), std::string::npos) << unknown.err;

  // `logs -f` ends when the container does.
  write_manifest("count.yaml", simple_pod("count", "for i in 1 2 3; do echo $i; sleep 0.3; done",
                                          "  restartPolicy: Never\n"));
  wait_for("count", "running or done", [](const api::Pod& pod) {
    const auto* status = status_of(pod, "c");
    return status != nullptr && !status->containerID.empty();
  });
  EXPECT_EQ(berthctl({"logs", "-f", "count"}).out, "1\n2\n3\n");
}

TEST_F(Tools, get_prints_tables_json_yaml_and_names) {
  start_berthd();
  EXPECT_EQ(berthctl({"get", "pods"}).err, "No resources found in default namespace.\n");
  write_manifest("a.yaml", simple_pod("a", kForEver));
  wait_for("a", "ready", ready);
  EXPECT_EQ(berthctl({"get", "pods", "-o", "name"}).out, "pod/a-node1\n");
  const auto table = berthctl({"get", "po"});
  EXPECT_TRUE(table.out.starts_with("NAME      READY   STATUS    RESTARTS   AGE\n")) << table.out;
  const auto yaml = berthctl({"get", "pod", "a", "-o", "yaml"});
  EXPECT_TRUE(yaml.out.starts_with("apiVersion: v1\nkind: Pod\nmetadata:\n")) << yaml.out;
  EXPECT_EQ(berthctl({"get", "pod", "nobody"}).exit_code, 3);
  EXPECT_EQ(berthctl({"get", "pod", "-n", "other"}).err,
            "No resources found in other namespace.\n");
  const auto node = berthctl({"get", "node", "-o", "yaml"});
  EXPECT_NE(node.out.find("kubernetes.io/hostname: node1"), std::string::npos) << node.out;
  const auto row = berthctl({"get", "node", "--no-headers"});
  EXPECT_NE(row.out.find("Ready"), std::string::npos) << row.out;
}

TEST_F(Tools, describe_shows_events_and_decisions) {
  start_berthd();
  write_manifest("a.yaml", simple_pod("a", kForEver));
  wait_for("a", "ready", ready);
  const auto described = berthctl({"describe", "pod", "a"});
  for (const char* part : {"Pulled", "Created", "Started container c", "Decisions:", "a.yaml"}) {
    EXPECT_NE(described.out.find(part), std::string::npos) << part << " in\n" << described.out;
  }
}

TEST_F(Tools, without_an_agent_say_so) {
  const auto result = berthctl({"get", "pods"});
  EXPECT_EQ(result.exit_code, 4);
  EXPECT_NE(result.err.find("cannot reach berthd"), std::string::npos) << result.err;
  start_berthd();
}

TEST_F(Tools, wrong_usage_is_two) {
  EXPECT_EQ(berthctl({"get", "pds"}).exit_code, 2);
  EXPECT_EQ(berthctl({"gt", "pods"}).exit_code, 2);
  EXPECT_EQ(berthctl({}).exit_code, 2);
  EXPECT_EQ(berthctl({"get", "pods", "-o", "jsno"}).exit_code, 2);
}

}  // namespace
}  // namespace berth::integration
