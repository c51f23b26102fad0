// SPDX-License-Identifier: Apache-2.0

// Invalid configurations are refused as a whole, with every problem reported; flags; the HTTP port.
#include <fstream>

#include "tests/integration/test_node.hpp"

namespace berth::integration {
namespace {

class Configuration : public NodeTest {
 protected:
  // Replaces one text in the configuration by another.
  void edit(const std::string& from, const std::string& to) {
    std::ifstream before(config_file());
    std::string text{std::istreambuf_iterator<char>(before), {}};
    before.close();
    const auto at = text.find(from);
    ASSERT_NE(at, std::string::npos) << from << " in " << text;
    std::ofstream(config_file()) << text.replace(at, from.size(), to);
  }

  Finished check(const std::string& text, std::vector<std::string> flags = {"--check-config"}) {
    const auto file = dir() / "check.yaml";
    std::ofstream(file) << text;
    std::vector<std::string> command = {BERTH_AGENT, "--config", file.string()};
    command.insert(command.end(), flags.begin(), flags.end());
    return run(command);
  }
};

constexpr const char* kHead =
    "apiVersion: kubelet.config.k8s.io/v1beta1\nkind: KubeletConfiguration\n";

TEST_F(Configuration, with_control_characters_moves_no_cursor_when_it_is_refused) {
  const auto result = check(std::string(kHead) + "\"\\e[2Jfield\\n\": 7\n");
  EXPECT_EQ(result.exit_code, 78);
  EXPECT_EQ(result.err.find('\x1b'), std::string::npos) << result.err;
  EXPECT_NE(result.err.find("^[[2Jfield"), std::string::npos) << result.err;
}

TEST_F(Configuration, with_an_unknown_field_is_refused_with_the_nearest_known_name) {
  const auto result = check(std::string(kHead) + "maxPod: 7\nstaticPodPth: /x\n");
  EXPECT_EQ(result.exit_code, 78);
  EXPECT_NE(result.err.find("maxPods"), std::string::npos) << result.err;
  EXPECT_NE(result.err.find("staticPodPath"), std::string::npos) << result.err;
}

TEST_F(Configuration, that_asks_for_what_is_not_there_yet_is_refused_at_start) {
  const auto result = check(std::string(kHead) + "cpuManagerPolicy: static\n", {});
  EXPECT_EQ(result.exit_code, 78);
  EXPECT_NE(result.err.find("cpuManagerPolicy"), std::string::npos) << result.err;
}

TEST_F(Configuration, that_is_good_passes_the_check_and_starts_nothing) {
  const auto result = check(std::string(kHead) + "maxPods: 7\n");
  EXPECT_EQ(result.exit_code, 0) << result.err;
}

TEST_F(Configuration, lists_once_what_is_not_used) {
  start_berthd("hairpinMode: none\nreadOnlyPort: 0\n");
  EXPECT_NE(berthd_log().find("hairpinMode"), std::string::npos) << berthd_log();
  EXPECT_NE(berthctl({"status"}).out.find("hairpinMode"), std::string::npos);
}

TEST_F(Configuration, is_reloaded_as_a_whole_or_not_at_all) {
  start_berthd("maxPods: 7\n", "logLevel: info\n");
  write_manifest("a.yaml", simple_pod("a", kForEver));
  wait_for("a", "ready", ready);
  EXPECT_EQ(berthctl({"reload"}).out, "nothing has changed\n");

  edit("logLevel: info", "logLevel: debug");
  edit("maxPods: 7", "maxPods: 7\nevictionHard: {memory.available: \"99.9%\"}");
  const auto evicts = berthctl({"reload"});
  EXPECT_EQ(evicts.exit_code, 1);
  EXPECT_NE(evicts.err.find("would evict at once (memory.available: default/a-node1"),
            std::string::npos)
      << evicts.err;

  edit("evictionHard: {memory.available: \"99.9%\"}", "maxPod: 3");
  const auto refused = berthctl({"reload"});
  EXPECT_EQ(refused.exit_code, 1);
  EXPECT_NE(refused.err.find("did you mean"), std::string::npos) << refused.err;
  EXPECT_NE(refused.err.find("the configuration in force stays"), std::string::npos);
  EXPECT_EQ(berthd_log().find("logLevel: info -> debug"), std::string::npos) << "nothing of it";

  edit("\nmaxPod: 3", "");
  edit("maxPods: 7", "maxPods: 3");
  const auto taken = berthctl({"reload"});
  EXPECT_EQ(taken.exit_code, 0) << taken.err;
  EXPECT_EQ(taken.out, "logLevel: info -> debug\nmaxPods: 7 -> 3, once berthd is restarted\n");
  EXPECT_NE(berthd_log().find("maxPods: 7 -> 3, once berthd is restarted"), std::string::npos);
  EXPECT_EQ(boost::json::serialize(status().at("pendingRestart")),
            R"([{"field":"maxPods","before":"7","after":"3","needsRestart":true}])");
}

TEST_F(Configuration, what_is_allocatable_follows_a_reloaded_hard_threshold) {
  start_berthd("evictionHard: {memory.available: 1Mi}\n");
  const auto allocatable = [this] {
    const auto node = boost::json::parse(berthctl({"get", "node", "node1", "-o", "json"}).out);
    return api::Quantity::parse(node.at("status").at("allocatable").at("memory").as_string())
        ->value();
  };
  const std::int64_t before = allocatable();
  edit("memory.available: 1Mi", "memory.available: 33Mi");
  const auto taken = berthctl({"reload"});
  EXPECT_EQ(taken.out, "evictionHard[memory.available]: 1Mi -> 33Mi\n") << taken.err;
  EXPECT_EQ(before - allocatable(), 32 << 20);

  const auto large = [before](const char* name) {
    std::string text = simple_pod(name, kForEver);
    const std::string container = "name: c\n";
    return text.insert(
        text.find(container) + container.size(),
        "    resources: {requests: {memory: " + std::to_string(before - (16 << 20)) + "}}\n");
  };
  write_manifest("early.yaml", large("early"));
  wait_for("early", "too large",
           [](const api::Pod& pod) { return pod.status.reason == "OutOfmemory"; });
  edit("memory.available: 33Mi", "memory.available: 1Mi");
  EXPECT_EQ(berthctl({"reload"}).exit_code, 0);
  write_manifest("late.yaml", large("late"));
  wait_for("late", "ready", ready);
}

TEST_F(Configuration, that_reserves_more_than_there_is_is_refused_at_start_and_ends_nothing) {
  start_berthd("maxPods: 7\n");
  write_manifest("web.yaml", simple_pod("web", kForEver));
  const auto before = wait_for("web", "ready", ready);
  stop_berthd();
  edit("maxPods: 7", "maxPods: 7\nkubeReserved: {memory: 100Ti}");
  const auto refused = run({BERTH_AGENT, "--config", config_file().string()});
  EXPECT_NE(refused.exit_code, 0);
  EXPECT_TRUE(
      refused.err.contains("invalid Node Allocatable configuration. Resource \"memory\" has a"))
      << refused.err;
  start_berthd("maxPods: 7\n");
  const auto after = wait_for("web", "ready", ready);
  EXPECT_EQ(after.status.containerStatuses[0].containerID,
            before.status.containerStatuses[0].containerID);
}

TEST_F(Configuration, a_wrong_flag_is_wrong_usage) {
  EXPECT_EQ(run({BERTH_AGENT, "--no-such-flag"}).exit_code, 2);
}

TEST_F(Configuration, serves_pods_and_healthz_on_the_read_only_port) {
  const std::string port = free_port();
  start_berthd("readOnlyPort: " + port + "\naddress: 127.0.0.1\n");
  const std::string url = "http://127.0.0.1:" + port;
  write_manifest("a.yaml", simple_pod("a", "sleep 100", "  terminationGracePeriodSeconds: 1\n"));
  wait_for("a", "ready", ready);
  const auto health = run({"busybox", "wget", "-q", "-O", "-", url + "/healthz"});
  EXPECT_EQ(health.out, "ok");
  const auto list = run({"busybox", "wget", "-q", "-O", "-", url + "/pods"});
  const auto parsed = boost::json::parse(list.out);
  EXPECT_EQ(parsed.at("kind").as_string(), "PodList");
  EXPECT_EQ(parsed.at("items").as_array().size(), 1U);
  EXPECT_EQ(parsed.at("items").at(0).at("metadata").at("name").as_string(), "a-node1");
  EXPECT_EQ(parsed.at("items").at(0).at("status").at("phase").as_string(), "Running");
}

}  // namespace
}  // namespace berth::integration
