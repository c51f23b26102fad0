// SPDX-License-Identifier: Apache-2.0

// Pods left behind by a kubelet: adopted as they are, or terminated if they do not match the
// manifest.
//
// The kubelet's calls to the runtime come from a recording of a real one
// (tests/data/cri-recordings); only the folders, the cgroup and the command are this test's.
#include <filesystem>
#include <fstream>
#include <optional>

#include "tests/integration/runtime_calls.hpp"
#include "tests/integration/test_node.hpp"
#include "tests/test_paths.hpp"

namespace berth::integration {
namespace {

using namespace std::chrono_literals;

constexpr const char* kGreetsForEver =
    "trap 'exit 0' TERM; echo here; while true; do sleep 1 & wait $!; done";

// The first request of this method whose sandbox or container belongs to the pod.
boost::json::object recorded_request(const std::string& method, const std::string& pod) {
  std::ifstream in(test_data() / "cri-recordings/session.jsonl");
  for (std::string line; std::getline(in, line);) {
    const auto entry = boost::json::parse(line);
    if (entry.at("dir").as_string() != "request" || entry.at("method").as_string() != method)
      continue;
    const auto& config = entry.at("message").at("config");
    if (config.at("labels").at(cri::kLabelPodName).as_string() != pod) continue;
    return config.as_object();
  }
  throw std::runtime_error("no " + method + " of " + pod + " was recorded");
}

cri::StringMap strings(const boost::json::value& object) {
  cri::StringMap map;
  for (const auto& [key, value] : object.as_object()) map[key] = value.as_string().c_str();
  return map;
}

void make_file(const std::filesystem::path& path) {
  std::filesystem::create_directories(path.parent_path());
  std::ofstream(path) << "";
}

class Adoption : public NodeTest {
 protected:
  struct Left {
    std::string uid{};
    std::string sandbox{};
    std::string container{};  // as in a status: containerd://ID
  };

  // The recorded pod crashloop, with its container crash, which here runs for ever.
  Left leave_pod_of_kubelet() {
    const auto recorded_sandbox = recorded_request("RunPodSandbox", "crashloop-node1");
    const auto recorded_container = recorded_request("CreateContainer", "crashloop-node1");
    const auto labels = strings(recorded_sandbox.at("labels"));
    const std::string uid = labels.at(cri::kLabelPodUid);
    const cri::PodSandboxConfig sandbox{
        .metadata = {.name = "crashloop-node1", .uid = uid, .namespace_ = "default"},
        .hostname = "crashloop-node1",
        .log_directory = (dir() / "log/pods" / ("default_crashloop-node1_" + uid)).string(),
        .labels = labels,
        .annotations = strings(recorded_sandbox.at("annotations")),
        .cgroup_parent = Containerd::instance().cgroup_root() + "/kubepods/besteffort/pod" + uid,
        .security_context = {.namespace_options = {.pid = cri::NamespaceMode::kContainer}}};
    const auto files = dir() / "kubelet/pods" / uid;
    make_file(files / "etc-hosts");
    make_file(files / "containers/crash/5bad97ef");
    std::filesystem::create_directories(sandbox.log_directory + "/crash");
    const cri::ContainerConfig container{
        .metadata = {.name = "crash"},
        .image = {.image = "localhost/busybox:1", .user_specified_image = "localhost/busybox:1"},
        .command = {"/bin/sh", "-c", kGreetsForEver},
        .mounts = {{.container_path = "/etc/hosts", .host_path = (files / "etc-hosts").string()},
                   {.container_path = "/dev/termination-log",
                    .host_path = (files / "containers/crash/5bad97ef").string()}},
        .labels = strings(recorded_container.at("labels")),
        .annotations = strings(recorded_container.at("annotations")),
        .log_path = "crash/0.log",
        .resources = {.cpu_period = 100000, .cpu_shares = 2},
        .security_context = {.namespace_options = {.pid = cri::NamespaceMode::kContainer}}};
    return start(sandbox, container);
  }

  static Left start(const cri::PodSandboxConfig& sandbox, const cri::ContainerConfig& container) {
    RuntimeCalls runtime;
    auto& client = runtime.client();
    const auto in = runtime.must(client.run_pod_sandbox({}, sandbox, ""));
    const auto id = runtime.must(client.create_container({}, in, container, sandbox));
    runtime.must(client.start_container({}, id));
    return {
        .uid = sandbox.metadata.uid, .sandbox = in.str(), .container = "containerd://" + id.str()};
  }

  static std::string manifest(const std::string& image) {
    return "apiVersion: v1\nkind: Pod\nmetadata: {name: crashloop}\nspec:\n"
           "  terminationGracePeriodSeconds: 5\n  containers:\n  - name: crash\n    image: " +
           image + "\n    command: [/bin/sh, -c, " +
           boost::json::serialize(boost::json::value(kGreetsForEver)) + "]\n";
  }

  void expect_goes_on(const Left& left) {
    const auto pod = wait_for("crashloop", "ready", ready);
    EXPECT_EQ(pod.metadata.uid, left.uid);
    EXPECT_EQ(pod.status.phase, "Running");
    ASSERT_NE(status_of(pod, "crash"), nullptr);
    EXPECT_EQ(status_of(pod, "crash")->containerID, left.container);
    EXPECT_EQ(status_of(pod, "crash")->restartCount, 0);
    expect_logs({"crashloop"}, "here\n");
  }
};

TEST_F(Adoption, of_a_kubelets_pod_keeps_its_uid_and_container_over_restarts_until_it_is_deleted) {
  const auto left = leave_pod_of_kubelet();
  write_manifest("crashloop.yaml", manifest("localhost/busybox:1"));
  start_berthd();
  expect_goes_on(left);
  stop_berthd();
  start_berthd();
  expect_goes_on(left);
  const auto printed = berthctl({"why", "pod/crashloop"});
  EXPECT_NE(printed.out.find("the pod is taken over from a kubelet: "), std::string::npos)
      << printed.out;
  kill_berthd();
  start_berthd();
  expect_goes_on(left);

  EXPECT_EQ(berthctl({"delete", "pod", "crashloop", "--no-wait"}).exit_code, 0);
  const auto after = wait_for("crashloop", "back as another", [&](const api::Pod& pod) {
    return pod.metadata.uid != left.uid && ready(pod);
  });
  EXPECT_NE(status_of(after, "crash")->containerID, left.container);
  EXPECT_EQ(Containerd::instance().ctr({"containers", "ls", "-q"}).out.find(left.sandbox),
            std::string::npos)
      << "the old sandbox is still there";
  // Deleted pods stay deleted.
  kill_berthd();
  start_berthd();
  const auto again = wait_for("crashloop", "ready", ready);
  EXPECT_EQ(again.metadata.uid, after.metadata.uid);
  EXPECT_EQ(status_of(again, "crash")->containerID, status_of(after, "crash")->containerID);
  const auto chosen = berthctl({"why", "pod/crashloop"});
  EXPECT_NE(chosen.out.find("incarnation 1 has ended and its manifest remains, so incarnation 2 "
                            "begins"),
            std::string::npos)
      << chosen.out;
  EXPECT_NE(chosen.out.find("incarnation 2 had not ended when berthd started, so it continues"),
            std::string::npos)
      << chosen.out;
}

TEST_F(Adoption, is_refused_to_a_container_of_another_image) {
  const auto left = leave_pod_of_kubelet();
  write_manifest("crashloop.yaml", manifest("localhost/busybox:quit"));
  start_berthd();
  const auto pod = wait_for("crashloop", "ready", ready);
  EXPECT_NE(pod.metadata.uid, left.uid);
  EXPECT_NE(status_of(pod, "crash")->containerID, left.container);
  EXPECT_EQ(Containerd::instance().ctr({"containers", "ls", "-q"}).out.find(left.sandbox),
            std::string::npos)
      << "the kubelet's sandbox is still there";
}

TEST_F(Adoption, is_not_for_a_pod_that_is_not_desired) {
  const auto left = leave_pod_of_kubelet();
  start_berthd();
  const auto deadline = RealClock{}.steady_now() + 40s;
  const auto& containerd = Containerd::instance();
  while (!containerd.ctr({"containers", "ls", "-q"}).out.empty() &&
         RealClock{}.steady_now() < deadline) {
  }
  EXPECT_EQ(containerd.ctr({"containers", "ls", "-q"}).out, "");
  EXPECT_TRUE(pods().empty());
}

}  // namespace
}  // namespace berth::integration
