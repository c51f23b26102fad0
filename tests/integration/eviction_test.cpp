// SPDX-License-Identifier: Apache-2.0

// Eviction of real pods on a real containerd. The machine stays unharmed: thresholds are just below
// what is free, and pods use a few hundred megabytes at most, within limits of their own.
#include <fstream>
#include <functional>
#include <sstream>

#include "base/real_clock.hpp"
#include "tests/integration/process.hpp"
#include "tests/integration/test_node.hpp"

namespace berth::integration {
namespace {

constexpr std::int64_t kMi = std::int64_t{1} << 20;
constexpr const char* kKubelet =
    "apiVersion: kubelet.config.k8s.io/v1beta1\nkind: KubeletConfiguration\n";

// The signal's value as `evictions explain` shows it; 0 if it has not been measured yet.
std::int64_t value_of(const char* name, const boost::json::value& explained) {
  for (const auto& signal : explained.at("signals").as_array()) {
    if (signal.at("name") != name) continue;
    const auto quantity = api::Quantity::parse(std::string(signal.at("value").as_string()));
    return quantity ? quantity->value() : 0;
  }
  return 0;
}

bool is_evicted(const api::Pod& pod) {
  return pod.status.phase == "Failed" && pod.status.reason == "Evicted";
}

bool is_running(const api::Pod& pod) {
  return pod.status.phase == "Running";
}

class EvictionTest : public NodeTest {
 protected:
  boost::json::value explained() const {
    const auto printed = berthctl({"evictions", "explain", "-o", "json"});
    EXPECT_EQ(printed.exit_code, 0) << printed.err;
    return boost::json::parse(printed.out);
  }
  // Checks after each change of the node, because a watch of pods does not report those.
  bool wait_for_node(const std::function<bool()>& holds, std::chrono::seconds limit) const {
    const SteadyTime deadline = RealClock{}.steady_now() + limit;
    Background watch({BERTH_CTL, "--socket", (dir() / "berthd.sock").string(), "get", "node", "-w"},
                     "", true);
    while (watch.line(deadline))
      if (holds()) return true;
    return false;
  }
  std::int64_t measured(const char* signal) const {
    std::int64_t value = 0;
    EXPECT_TRUE(wait_for_node([&] { return (value = value_of(signal, explained())) > 0; },
                              std::chrono::seconds(20)));
    return value;
  }
  std::string pressure(const char* type) const {
    const auto node = berthctl({"get", "node", "node1", "-o", "json"});
    const auto value = boost::json::parse(node.out);
    for (const auto& condition : value.at("status").at("conditions").as_array())
      if (condition.at("type") == type) return std::string(condition.at("status").as_string());
    return "";
  }
  // The pods that these thresholds would have evicted, according to this berthd's measurements.
  std::vector<std::string> simulated(const std::string& thresholds,
                                     const std::vector<std::string>& flags = {}) const {
    const auto file = dir() / "other.yaml";
    std::ofstream(file) << kKubelet << thresholds;
    std::vector<std::string> command = {"evictions", "simulate", "--config", file.string(),
                                        "--since",   "1h",       "-o",       "json"};
    command.insert(command.end(), flags.begin(), flags.end());
    const auto printed = berthctl(command);
    EXPECT_EQ(printed.exit_code, 0) << printed.err;
    std::vector<std::string> names;
    const auto reply = boost::json::parse(printed.out);
    EXPECT_GT(reply.at("samples").to_number<int>(), 0) << printed.out;
    for (const auto& event : reply.at("events").as_array())
      if (event.at("kind") == "Eviction") names.emplace_back(event.at("name").as_string());
    return names;
  }
};

// An evicted pod is Failed only if its containers do not succeed.
constexpr const char* kUntilKilled = "while :; do sleep 1; done";

// The pod fills a tmpfs of its own: the content counts as memory of its cgroup, and is freed with
// it.
std::string filling_pod(const char* name, int mebibytes) {
  return "apiVersion: v1\nkind: Pod\nmetadata: {name: " + std::string(name) +
         "}\nspec:\n  terminationGracePeriodSeconds: 1\n  volumes:\n"
         "  - name: memory\n    emptyDir: {medium: Memory, sizeLimit: 1900Mi}\n  containers:\n"
         "  - name: c\n    image: localhost/busybox:1\n    volumeMounts:\n"
         "    - {name: memory, mountPath: /m}\n    command: [/bin/sh, -c, \"sleep 2; dd "
         "if=/dev/zero "
         "of=/m/f bs=1M count=" +
         std::to_string(mebibytes) + "; " + kUntilKilled + "\"]\n";
}

TEST_F(EvictionTest, a_pod_that_fills_memory_goes_and_the_others_stay) {
  start_berthd("evictionHard: {memory.available: 1Mi}\nevictionPressureTransitionPeriod: 2s\n",
               "recreateEvicted: Never\n");
  const std::int64_t available = measured("memory.available");
  stop_berthd();
  if (available < 3072 * kMi) GTEST_SKIP() << "too little memory is free to play with";
  // Met once the pod has used its share, which is three times as much, since other processes may
  // free some memory meanwhile.
  const std::int64_t threshold = available - 500 * kMi;
  start_berthd("evictionHard: {memory.available: \"" + std::to_string(threshold) +
                   "\"}\nevictionPressureTransitionPeriod: 2s\n",
               "recreateEvicted: Never\n");
  write_manifest("modest.yaml",
                 simple_pod("modest", kForEver) +
                     "    resources: {requests: {memory: 64Mi}, limits: {memory: 64Mi}}\n");
  wait_for("modest", "running", is_running);
  // It has no requests that it could be within, so it could go as well: it uses less.
  write_manifest("small.yaml", simple_pod("small", kForEver));
  wait_for("small", "running", is_running);
  write_manifest("greedy.yaml", filling_pod("greedy", 1600));
  const api::Pod gone = wait_for("greedy", "evicted", is_evicted, std::chrono::seconds(60));
  EXPECT_TRUE(gone.status.message.starts_with("The node was low on resource: memory. "))
      << gone.status.message;
  EXPECT_NE(gone.status.message.find("Container c was using "), std::string::npos)
      << gone.status.message;
  EXPECT_TRUE(is_running(*pod("modest")));
  EXPECT_TRUE(is_running(*pod("small")));
  const auto log = berthctl({"evictions", "log"});
  EXPECT_NE(log.out.find("default/greedy-node1"), std::string::npos) << log.out << log.err;
  const auto events = berthctl({"events", "--for", "pod/greedy"});
  EXPECT_NE(events.out.find("Evicted"), std::string::npos) << events.out;

  const auto picture = dir() / "night.svg";
  EXPECT_EQ(simulated("evictionHard: {memory.available: \"" + std::to_string(threshold) + "\"}\n",
                      {"--plot", picture.string()}),
            std::vector<std::string>{"greedy-node1"})
      << "as it was";
  std::ifstream drawn(picture);
  const std::string svg{std::istreambuf_iterator<char>(drawn), {}};
  EXPECT_TRUE(svg.contains("<svg") && svg.contains("memory.available")) << svg.substr(0, 300);
  EXPECT_TRUE(simulated("evictionHard: {memory.available: 1Mi}\n").empty());
  std::filesystem::create_directory(dir() / "other.yaml.d");
  std::ofstream(dir() / "other.yaml.d" / "10.yaml")
      << kKubelet << "evictionHard: {memory.available: \"" << threshold << "\"}\n";
  EXPECT_EQ(simulated("evictionHard: {memory.available: 1Mi}\n"),
            std::vector<std::string>{"greedy-node1"})
      << "by the drop-in";

  const auto top = berthctl({"top", "pods"});
  EXPECT_TRUE(top.out.contains("modest-node1")) << top.out << top.err;
  EXPECT_FALSE(top.out.contains("greedy-node1")) << "it has ended: " << top.out;
  const auto places = boost::json::parse(berthctl({"top", "pods", "-o", "json"}).out);
  for (const auto& item : places.at("items").as_array()) {
    const auto& place = item.at("places");
    EXPECT_EQ(place.at("memory.available"), item.at("name") == "small-node1" ? 1 : 2);
    EXPECT_TRUE(place.as_object().contains("nodefs.available")) << "there is no threshold on it";
  }
  EXPECT_TRUE(wait_for_node([&] { return pressure("MemoryPressure") == "False"; },
                            std::chrono::seconds(30)));
}

// The pod writes 4 MiB to a volume with that limit.
std::string writing_pod(const std::string& name, const std::string& limit) {
  return "apiVersion: v1\nkind: Pod\nmetadata: {name: " + name +
         "}\nspec:\n  terminationGracePeriodSeconds: 1\n  volumes:\n  - {name: v, emptyDir: "
         "{sizeLimit: " +
         limit +
         "}}\n  containers:\n  - name: c\n    image: localhost/busybox:1\n    volumeMounts: "
         "[{name: v, mountPath: /v}]\n    command: [/bin/sh, -c, \"dd if=/dev/zero of=/v/f bs=1M "
         "count=4; " +
         std::string(kUntilKilled) + "\"]\n";
}

TEST_F(EvictionTest, a_pod_that_overfills_its_emptyDir_goes_and_comes_back_and_the_other_stays) {
  start_berthd("volumeStatsAggPeriod: 1s\nevictionHard: {memory.available: 1Mi}\n");
  write_manifest("roomy.yaml", writing_pod("roomy", "64Mi"));
  const api::Pod roomy = wait_for("roomy", "running", is_running);
  write_manifest("full.yaml", writing_pod("full", "1Mi"));
  const api::Pod first = wait_for("full", "evicted", is_evicted, std::chrono::seconds(60));
  EXPECT_EQ(first.status.message, "Usage of EmptyDir volume \"v\" exceeds the limit \"1Mi\". ");
  for (const auto& condition : first.status.conditions)
    EXPECT_NE(condition.type, "DisruptionTarget");
  wait_for(
      "full", "another incarnation",
      [&](const api::Pod& now) { return now.metadata.uid != first.metadata.uid; },
      std::chrono::seconds(40));
  const auto stayed = pod("roomy");
  EXPECT_TRUE(is_running(*stayed));
  EXPECT_EQ(stayed->status.containerStatuses.at(0).containerID,
            roomy.status.containerStatuses.at(0).containerID);
}

TEST_F(EvictionTest, a_pod_that_fills_the_disk_goes_with_what_it_wrote_and_the_other_one_stays) {
  start_berthd("evictionHard: {nodefs.available: 1Mi}\n", "recreateEvicted: Never\n");
  const std::int64_t available = measured("nodefs.available");
  stop_berthd();
  if (available < 4096 * kMi) GTEST_SKIP() << "too little of the disk is free to play with";
  start_berthd("evictionHard: {nodefs.available: \"" + std::to_string(available - 1000 * kMi) +
                   "\"}\nevictionPressureTransitionPeriod: 2s\n",
               "recreateEvicted: Never\n");
  write_manifest("modest.yaml", simple_pod("modest", kForEver));
  const api::Pod modest = wait_for("modest", "running", is_running);
  // containerd measures writable layers every ten seconds: its figures include the first file when
  // the second one makes the disk short.
  write_manifest("greedy.yaml", simple_pod("greedy",
                                           "dd if=/dev/zero of=/a bs=1M count=700; sleep 20; "
                                           "dd if=/dev/zero of=/b bs=1M count=600; " +
                                               std::string(kUntilKilled)));
  const api::Pod gone = wait_for("greedy", "evicted", is_evicted, std::chrono::seconds(90));
  EXPECT_TRUE(gone.status.message.starts_with("The node was low on resource: ephemeral-storage. "))
      << gone.status.message;
  EXPECT_TRUE(
      wait_for_node([&] { return pressure("DiskPressure") == "False"; }, std::chrono::seconds(30)))
      << "its writable layer is gone with it";
  EXPECT_TRUE(pod("greedy")->status.containerStatuses.at(0).state.terminated);
  const auto stayed = pod("modest");
  EXPECT_TRUE(is_running(*stayed));
  EXPECT_EQ(stayed->status.containerStatuses.at(0).containerID,
            modest.status.containerStatuses.at(0).containerID);
}

TEST_F(EvictionTest, short_of_processes_the_pod_that_has_most_of_them_goes) {
  start_berthd("evictionHard: {memory.available: 1Mi}\n", "recreateEvicted: Never\n");
  const std::int64_t free = measured("pid.available");
  stop_berthd();
  start_berthd("evictionHard: {pid.available: \"" + std::to_string(free - 250) + "\"}\n",
               "recreateEvicted: Never\n");
  write_manifest("few.yaml", simple_pod("few", kForEver));
  wait_for("few", "running", is_running);
  write_manifest(
      "many.yaml",
      simple_pod("many", "i=0; while [ $i -lt 400 ]; do sleep 1000 & i=$((i+1)); done; " +
                             std::string(kUntilKilled)));
  const api::Pod gone = wait_for("many", "evicted", is_evicted, std::chrono::seconds(60));
  EXPECT_TRUE(gone.status.message.starts_with("The node was low on resource: pids. "))
      << gone.status.message;
  EXPECT_TRUE(is_running(*pod("few")));
  EXPECT_EQ(pressure("PIDPressure"), "True");
}

}  // namespace
}  // namespace berth::integration
