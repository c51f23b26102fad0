// What an operator asks a running node, beside the first tools: events, doctor, logs over a
// rotation, deletion, readiness gates.
#include <fstream>

#include "tests/integration/test_node.hpp"

namespace berth::integration {
namespace {

constexpr const char* kForEver = "trap 'exit 0' TERM; while true; do sleep 1 & wait $!; done";

class Operator : public NodeTest {
 protected:
  // Runs until what it prints satisfies the condition; the last result.
  Finished berthctl_until(const std::vector<std::string>& arguments,
                          const std::function<bool(const Finished&)>& condition) const {
    const auto deadline = std::chrono::steady_clock::now() + std::chrono::seconds(30);
    Finished last = berthctl(arguments);
    while (!condition(last) && std::chrono::steady_clock::now() < deadline)
      last = berthctl(arguments);
    EXPECT_TRUE(condition(last)) << last.exit_code << "\n" << last.out << last.err;
    return last;
  }
};

TEST_F(Operator, events_are_told_in_kubectls_columns_by_type_and_object) {
  start_berthd();
  write_manifest("a.yaml", simple_pod("a", kForEver));
  wait_for("a", "ready", ready);
  const auto all = berthctl({"events"});
  EXPECT_TRUE(all.out.starts_with("LAST SEEN")) << all.out;
  EXPECT_NE(all.out.find("Pod/a-node1"), std::string::npos) << all.out;
  EXPECT_NE(all.out.find("Started container c"), std::string::npos) << all.out;
  EXPECT_EQ(berthctl({"events", "--types=Warning", "--for", "pod/a"}).err,
            "No events found in default namespace.\n");
  const auto node = berthctl({"events", "--for", "node/node1", "--types", "Normal"});
  EXPECT_NE(node.out.find("Node/node1"), std::string::npos) << node.out << node.err;
  EXPECT_EQ(berthctl({"events", "--types=Error"}).exit_code, 2);
  const auto got = berthctl({"get", "events"});
  EXPECT_NE(got.out.find("pod/a-node1"), std::string::npos) << got.out;
}

TEST_F(Operator, doctor_names_what_is_not_run_and_what_a_kubelet_would_recreate) {
  start_berthd();
  write_manifest("a.yaml", simple_pod("a", kForEver));
  wait_for("a", "ready", ready);
  const auto well = berthctl({"doctor"});
  EXPECT_EQ(well.exit_code, 0) << well.out << well.err;
  EXPECT_NE(well.out.find("default/a-node1: a kubelet would recreate it"), std::string::npos)
      << well.out;
  write_manifest("b.txt", "nothing");
  write_manifest("c.yaml", "apiVersion: v1\nkind: Pod\nmetadata: {name: c}\nspec: {}\n");
  const auto ill = berthctl_until(
      {"doctor"}, [](const Finished& run) { return run.out.find("c.yaml") != std::string::npos; });
  EXPECT_EQ(ill.exit_code, 1);
  EXPECT_NE(ill.out.find("warning  b.txt: is not read"), std::string::npos) << ill.out;
  EXPECT_NE(ill.out.find("trouble  c.yaml"), std::string::npos) << ill.out;
  const auto json = berthctl({"doctor", "-o", "json"});
  EXPECT_NE(json.out.find("\"severity\": \"trouble\""), std::string::npos) << json.out;
  remove_manifest("b.txt");
  remove_manifest("c.yaml");
}

TEST_F(Operator, a_log_is_rotated_and_its_reader_goes_on) {
  start_berthd(
      "containerLogMaxSize: 4Ki\ncontainerLogMaxFiles: 3\n"
      "containerLogMonitorInterval: 3s\n");
  // 64 numbered lines of about 1 KiB: a rotation every three seconds.
  write_manifest("talk.yaml", simple_pod("talk",
                                         "line=$(printf '%01000d' 0); i=0; while [ $i -lt 64 ]; do "
                                         "echo line $i $line; i=$((i+1)); sleep 0.2; done",
                                         "  restartPolicy: Never\n"));
  const auto pod = wait_for("talk", "ready", ready);
  const auto followed = berthctl({"logs", "-f", "talk"});
  const auto folder = dir() / "log/pods" / ("default_talk-node1_" + pod.metadata.uid) / "c";
  std::size_t rotated = 0;
  std::size_t compressed = 0;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    const auto name = entry.path().filename().string();
    if (name.starts_with("0.log.")) ++rotated;
    if (name.ends_with(".gz")) ++compressed;
  }
  EXPECT_GE(rotated, 1U);
  EXPECT_LE(rotated, 2U);
  EXPECT_LE(compressed, 1U);
  // Every line once, in order, over all rotations.
  std::size_t at = 0;
  for (int i = 0; i < 64; ++i) {
    const auto found = followed.out.find("line " + std::to_string(i) + " ", at);
    ASSERT_NE(found, std::string::npos) << "line " << i << " is missing";
    at = found + 1;
  }
}

}  // namespace
}  // namespace berth::integration
