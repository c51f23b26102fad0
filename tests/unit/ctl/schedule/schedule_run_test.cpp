// SPDX-License-Identifier: Apache-2.0

// `berthctl schedule explain` as a whole: files, berthd, exit codes.
#include <filesystem>
#include <fstream>

#include <gtest/gtest.h>
#include <boost/json.hpp>

#include "ctl/run.hpp"
#include "tests/unit/ctl/fake_agent.hpp"

namespace berth::ctl {
namespace {

constexpr const char* kNode = R"({"kind":"Node","apiVersion":"v1","metadata":{"name":"n1"},)"
                              R"("status":{"allocatable":{"cpu":"4","memory":"8Gi","pods":"10"}}})";

constexpr const char* kPlaced =
    R"({"kind":"Pod","apiVersion":"v1","metadata":{"name":"db-n1","namespace":"default"},)"
    R"("spec":{"nodeName":"n1","containers":[{"name":"c","resources":{"requests":{"cpu":"3"}}}]},)"
    R"("status":{"phase":"Running"}})";

std::string pod_yaml(const std::string& name, const std::string& cpu) {
  return "apiVersion: v1\nkind: Pod\nmetadata: {name: " + name +
         "}\nspec:\n  containers: [{name: c, image: i, resources: {requests: {cpu: " + cpu +
         "}}}]\n";
}

class ScheduleExplain : public testing::Test {
 protected:
  ScheduleExplain() { std::filesystem::create_directories(folder_); }
  ~ScheduleExplain() override { std::filesystem::remove_all(folder_); }

  std::string file(const std::string& name, const std::string& text) {
    const auto path = folder_ / name;
    std::ofstream(path) << text;
    return path.string();
  }

  int explain(std::vector<std::string> words) {
    words.insert(words.begin(), {"schedule", "explain"});
    testing::internal::CaptureStdout();
    testing::internal::CaptureStderr();
    const int exit_code = run(words);
    out_ = testing::internal::GetCapturedStdout();
    err_ = testing::internal::GetCapturedStderr();
    return exit_code;
  }

  std::filesystem::path folder_ =
      std::filesystem::path(testing::TempDir()) /
      ("explain-" + std::string(testing::UnitTest::GetInstance()->current_test_info()->name()));
  std::string out_{};
  std::string err_{};
};

TEST_F(ScheduleExplain, says_by_its_exit_code_whether_the_pod_fits) {
  const std::string nodes = file("nodes.json", kNode);
  const std::string pods = file("pods.json", kPlaced);
  EXPECT_EQ(
      explain({"-f", file("small.yaml", pod_yaml("web", "1")), "--nodes", nodes, "--pods", pods}),
      0)
      << err_;
  EXPECT_NE(out_.find("Best node: n1."), std::string::npos) << out_;
  EXPECT_EQ(
      explain({"-f", file("large.yaml", pod_yaml("web", "2")), "--nodes", nodes, "--pods", pods}),
      6)
      << err_;
  EXPECT_NE(out_.find("cpu: needs 2, free 1 of 4 (used by default/db-n1 3)"), std::string::npos)
      << out_;
  // The same without the existing pod.
  EXPECT_EQ(explain({"-f", file("large.yaml", pod_yaml("web", "2")), "--nodes", nodes}), 0);
}

TEST_F(ScheduleExplain, of_a_pod_that_exists_needs_only_its_name) {
  const std::string objects =
      file("all.json", std::string(R"({"kind":"List","items":[)") + kNode + "," + kPlaced + "]}");
  EXPECT_EQ(explain({"pod/db-n1", "--nodes", objects, "-o", "json"}), 0) << err_;
  const auto printed = boost::json::parse(out_);
  EXPECT_EQ(printed.at("pod"), "default/db-n1");
  EXPECT_EQ(printed.at("best").at(0), "n1");
  for (const char* name : {"default/db-n1", "pod/default/db-n1"})
    EXPECT_EQ(explain({name, "-n", "shop", "--nodes", objects}), 0) << err_;
  EXPECT_EQ(explain({"pods/db-n1", "--nodes", objects}), 0) << err_;
  EXPECT_EQ(explain({"web", "--nodes", objects}), 1);
  EXPECT_EQ(err_,
            "error: existing pods: no pod \"web\" in namespace default, but db-n1\n"
            "error: 1 problem in the input\n");
}

TEST_F(ScheduleExplain, lists_all_that_is_wrong_with_the_input) {
  const std::string nodes = file("nodes.yaml", "kind: Node\napiVersion: v1\nmetadata: {}\n");
  const std::string pod = file(
      "pod.yaml", pod_yaml("web", "1") + "  topologySpreadConstraints: [{topologyKey: zone}]\n");
  EXPECT_EQ(explain({"-f", pod, "--nodes", nodes}), 1);
  EXPECT_EQ(out_, "");
  for (const char* part : {"nodes.yaml:1:1: metadata.name: Required value\n",
                           "pod.yaml:6:31: spec.topologySpreadConstraints[0].maxSkew: ",
                           "DoNotSchedule is usual", "error: 3 problems in the input\n"}) {
    EXPECT_NE(err_.find(part), std::string::npos) << part << " in\n" << err_;
  }
}

TEST_F(ScheduleExplain, refuses_wrong_words_and_files) {
  const std::string pod = file("pod.yaml", pod_yaml("web", "1"));
  EXPECT_EQ(explain({}), 2);
  EXPECT_EQ(explain({"-f", "-", "--nodes", "-"}), 2);
  EXPECT_EQ(explain({"-f", pod, "--nodes", pod, "-o", "wide"}), 2);
  EXPECT_EQ(explain({"-f", pod, "--nodes", (folder_ / "none.yaml").string()}), 1);
  EXPECT_NE(err_.find("none.yaml: No such file or directory"), std::string::npos) << err_;
  EXPECT_EQ(explain({"-f", folder_.string(), "--nodes", pod}), 1);
  EXPECT_EQ(explain({"-f", pod, "--nodes", pod, "--config", file("c.yaml", "kind: x\n")}), 1);
  EXPECT_NE(err_.find("c.yaml"), std::string::npos) << err_;
}

TEST_F(ScheduleExplain, goes_by_the_profile_that_the_pod_names) {
  const std::string config = file("config.yaml",
                                  "apiVersion: kubescheduler.config.k8s.io/v1\n"
                                  "kind: KubeSchedulerConfiguration\n"
                                  "profiles: [{schedulerName: packing, plugins: {filter: "
                                  "{disabled: [{name: NodeResourcesFit}]}}}]\n");
  const std::string nodes = file("nodes.json", kNode);
  const std::string pod = pod_yaml("web", "9");
  EXPECT_EQ(explain({"-f", file("a.yaml", pod + "  schedulerName: packing\n"), "--nodes", nodes,
                     "--config", config}),
            0)
      << err_;
  EXPECT_EQ(explain({"-f", file("b.yaml", pod), "--nodes", nodes, "--config", config}), 1);
  EXPECT_NE(err_.find("has no profile default-scheduler; it has packing"), std::string::npos)
      << err_;
}

TEST_F(ScheduleExplain, without_files_asks_berthd) {
  FakeAgent agent;
  agent.nodes = {kNode};
  agent.pods = {kPlaced};
  const std::string pod = file("pod.yaml", pod_yaml("web", "2"));
  EXPECT_EQ(explain({"-f", pod, "--socket", agent.socket()}), 6) << err_;
  EXPECT_NE(out_.find("Pod default/web-n1 does not fit on node n1."), std::string::npos) << out_;
  EXPECT_NE(out_.find("used by default/db-n1 3"), std::string::npos) << out_;
  ASSERT_TRUE(agent.list_request.has_value());
  EXPECT_TRUE(agent.list_request->all_namespaces());
  EXPECT_EQ(explain({"-f", pod, "--socket", "/nowhere"}), 4);
}

TEST_F(ScheduleExplain, of_a_pod_of_berthd_takes_its_short_name) {
  FakeAgent agent;
  agent.nodes = {kNode};
  agent.pods = {kPlaced};
  EXPECT_EQ(explain({"db", "--socket", agent.socket()}), 0) << err_;
  EXPECT_NE(out_.find("Pod default/db-n1"), std::string::npos) << out_;
  EXPECT_EQ(explain({"pod/db-n1", "--socket", agent.socket()}), 0) << err_;
  EXPECT_EQ(explain({"dc", "--socket", agent.socket()}), 3) << err_;
  EXPECT_EQ(err_, "error: pod \"dc\" not found in namespace \"default\"; did you mean \"db\"?\n");
}

// The pod that already runs from the manifest does not count as using the room.
TEST_F(ScheduleExplain, of_a_manifest_that_runs_leaves_its_pod_out) {
  FakeAgent agent;
  agent.nodes = {kNode};
  agent.pods = {kPlaced};
  EXPECT_EQ(explain({"-f", file("db.yaml", pod_yaml("db", "3")), "--socket", agent.socket()}), 0)
      << out_ << err_;
}

}  // namespace
}  // namespace berth::ctl
