// SPDX-License-Identifier: Apache-2.0

#include "cri/translate.hpp"
#include "tests/test_paths.hpp"

#include <fstream>
#include <limits>

#include <gtest/gtest.h>

#include "cri_schema.hpp"

namespace berth::cri {
namespace {

template <class Message>
Message from_json(const std::string& json) {
  Message message;
  EXPECT_TRUE(message.ParseFromString(CriSchema().wire_from_json(message.GetTypeName(), json)));
  return message;
}

template <class Message>
void expect_same(const Message& actual, const Message& expected) {
  EXPECT_EQ(CriSchema().differences(expected.GetTypeName(), actual.SerializeAsString(),
                                    expected.SerializeAsString()),
            "");
}

// The first request of a method that the recorded kubelet made and that mentions `needle`.
std::string recorded(const std::string& method, const std::string& needle) {
  std::ifstream in(test_data() / "cri-recordings/session.jsonl");
  std::string line;
  while (std::getline(in, line)) {
    if (line.find("\"dir\": \"request\", \"method\": \"" + method + "\"") != std::string::npos &&
        line.find(needle) != std::string::npos) {
      const auto start = line.find("\"message\": ") + 11;
      return line.substr(start, line.size() - start - 1);
    }
  }
  ADD_FAILURE() << "no recorded " << method << " with " << needle;
  return "{}";
}

PodSandboxConfig crashloop_sandbox(const std::string& uid, StringMap annotations) {
  return {.metadata = {.name = "crashloop-node1", .uid = uid, .namespace_ = "default"},
          .hostname = "crashloop-node1",
          .log_directory = "/var/log/pods/default_crashloop-node1_" + uid,
          .dns_config = DnsConfig{.servers = {"192.0.2.53"}},
          .labels = {{"io.kubernetes.pod.namespace", "default"},
                     {"io.kubernetes.pod.name", "crashloop-node1"},
                     {"io.kubernetes.pod.uid", uid}},
          .annotations = std::move(annotations),
          .cgroup_parent = "/kubepods/besteffort/pod" + uid,
          .security_context = {.namespace_options = {.pid = NamespaceMode::kContainer},
                               .seccomp = SecurityProfile{}},
          .resources = {.cpu_period = 100000, .cpu_shares = 2}};
}

TEST(TranslateSandbox, a_sandbox_is_asked_for_as_the_recorded_kubelet_does) {
  const auto request =
      from_json<pb::RunPodSandboxRequest>(recorded("RunPodSandbox", "\"crashloop-node1\""));
  const auto& annotations = request.config().annotations();
  const auto config = crashloop_sandbox(request.config().metadata().uid(),
                                        StringMap(annotations.begin(), annotations.end()));
  expect_same(to_message(config), request.config());
}

TEST(TranslateContainer, a_container_is_asked_for_as_the_recorded_kubelet_does) {
  const auto request =
      from_json<pb::CreateContainerRequest>(recorded("CreateContainer", "\"name\": \"crash\""));
  const auto& theirs = request.config();
  ContainerConfig config{
      .metadata = {.name = "crash"},
      .image = {.image = theirs.image().image(), .user_specified_image = "localhost/busybox:1"},
      .command = {"/bin/sh", "-c", "echo bye > /dev/termination-log; sleep 1; exit 3"},
      .labels = {theirs.labels().begin(), theirs.labels().end()},
      .annotations = {theirs.annotations().begin(), theirs.annotations().end()},
      .log_path = "crash/0.log",
      .resources = {.cpu_period = 100000,
                    .cpu_shares = 2,
                    .oom_score_adj = 1000,
                    .hugepage_limits = {{.page_size = "2MB"}, {.page_size = "1GB"}}},
      .security_context = {.namespace_options = {.pid = NamespaceMode::kContainer},
                           .run_as_user = 0,
                           .seccomp = SecurityProfile{.profile_type = ProfileType::kUnconfined}}};
  for (const auto& mount : theirs.mounts()) {
    config.mounts.push_back(
        {.container_path = mount.container_path(), .host_path = mount.host_path()});
  }
  const auto& security = theirs.linux().security_context();
  config.security_context.masked_paths = {security.masked_paths().begin(),
                                          security.masked_paths().end()};
  config.security_context.readonly_paths = {security.readonly_paths().begin(),
                                            security.readonly_paths().end()};
  expect_same(to_message(config), theirs);
}

TEST(TranslateSandbox, everything_a_sandbox_can_ask_for_arrives) {
  const PodSandboxConfig config{
      .dns_config = DnsConfig{.servers = {"s"}, .searches = {"d"}, .options = {"o"}},
      .port_mappings = {{.protocol = Protocol::kUdp,
                         .container_port = 53,
                         .host_port = 5353,
                         .host_ip = "127.0.0.1"}},
      .security_context = {.namespace_options = {.network = NamespaceMode::kNode,
                                                 .pid = NamespaceMode::kTarget,
                                                 .ipc = NamespaceMode::kNode,
                                                 .target_id = "t",
                                                 .userns = NamespaceMode::kPod},
                           .selinux_options = SelinuxOption{"u", "r", "t", "l"},
                           .run_as_user = 1,
                           .run_as_group = 2,
                           .readonly_rootfs = true,
                           .supplemental_groups = {3, 4},
                           .supplemental_groups_policy = SupplementalGroupsPolicy::kStrict,
                           .privileged = true,
                           .apparmor = SecurityProfile{ProfileType::kLocalhost, "p"}},
      .sysctls = {{"kernel.shm_rmid_forced", "1"}},
      .overhead = {.memory_limit_in_bytes = 5}};
  expect_same(to_message(config), from_json<pb::PodSandboxConfig>(R"({
    "metadata": {}, "dns_config": {"servers": ["s"], "searches": ["d"], "options": ["o"]},
    "port_mappings": [{"protocol": "UDP", "container_port": 53, "host_port": 5353,
                       "host_ip": "127.0.0.1"}],
    "linux": {
      "security_context": {
        "namespace_options": {"network": "NODE", "pid": "TARGET", "ipc": "NODE", "target_id": "t",
                              "userns_options": {}},
        "selinux_options": {"user": "u", "role": "r", "type": "t", "level": "l"},
        "run_as_user": {"value": 1}, "run_as_group": {"value": 2}, "readonly_rootfs": true,
        "supplemental_groups": [3, 4], "supplemental_groups_policy": "Strict", "privileged": true,
        "apparmor": {"profile_type": "Localhost", "localhost_ref": "p"}},
      "sysctls": {"kernel.shm_rmid_forced": "1"},
      "overhead": {"memory_limit_in_bytes": 5}, "resources": {}}})"));
}

TEST(TranslateContainer, everything_a_container_can_ask_for_arrives) {
  const ContainerConfig config{
      .metadata = {.name = "c", .attempt = 2},
      .image = {.image = "i", .annotations = {{"a", "b"}}, .runtime_handler = "h"},
      .args = {"x"},
      .working_dir = "/w",
      .envs = {{"K", "V"}},
      .mounts = {{.container_path = "/c",
                  .host_path = "/h",
                  .readonly = true,
                  .selinux_relabel = true,
                  .propagation = Propagation::kBidirectional,
                  .recursive_read_only = true}},
      .devices = {{"/dev/c", "/dev/h", "rw"}},
      .stdin_open = true,
      .stdin_once = true,
      .tty = true,
      .resources = {.cpu_quota = 1,
                    .cpuset_cpus = "0",
                    .cpuset_mems = "1",
                    .unified = {{"memory.high", "9"}},
                    .memory_swap_limit_in_bytes = 7},
      .security_context = {.capabilities = Capabilities{.add = {"A"}, .drop = {"D"}},
                           .privileged = true,
                           .run_as_username = "me",
                           .no_new_privs = true,
                           .apparmor = SecurityProfile{ProfileType::kLocalhost, "p"}},
      .stop_signal = 10};
  expect_same(to_message(config), from_json<pb::ContainerConfig>(R"({
    "metadata": {"name": "c", "attempt": 2},
    "image": {"image": "i", "annotations": {"a": "b"}, "runtime_handler": "h"},
    "args": ["x"], "working_dir": "/w", "envs": [{"key": "K", "value": "V"}],
    "mounts": [{"container_path": "/c", "host_path": "/h", "readonly": true,
                "selinux_relabel": true, "propagation": "PROPAGATION_BIDIRECTIONAL",
                "recursive_read_only": true}],
    "devices": [{"container_path": "/dev/c", "host_path": "/dev/h", "permissions": "rw"}],
    "stdin": true, "stdin_once": true, "tty": true, "stop_signal": 10,
    "linux": {
      "resources": {"cpu_quota": 1, "cpuset_cpus": "0", "cpuset_mems": "1",
                    "unified": {"memory.high": "9"}, "memory_swap_limit_in_bytes": 7},
      "security_context": {
        "capabilities": {"add_capabilities": ["A"], "drop_capabilities": ["D"]},
        "privileged": true, "run_as_username": "me", "no_new_privs": true,
        "apparmor": {"profile_type": "Localhost", "localhost_ref": "p"},
        "apparmor_profile": "localhost/p",
        "namespace_options": {"userns_options": {"mode": "NODE"}}}}})"));
}

TEST(TranslateContainer, every_apparmor_profile_is_sent_in_its_old_form_too) {
  const std::pair<ProfileType, const char*> rows[] = {
      {ProfileType::kRuntimeDefault, "runtime/default"},
      {ProfileType::kUnconfined, "unconfined"},
      {ProfileType::kLocalhost, "localhost/"},
  };
  for (const auto& [type, text] : rows) {
    const ContainerConfig config{.security_context = {.apparmor = SecurityProfile{type, ""}}};
    EXPECT_EQ(to_message(config).linux().security_context().apparmor_profile(), text);
  }
}

TEST(TranslateSandbox, a_status_without_network_differs_from_one_without_address) {
  EXPECT_FALSE(from_message(from_json<pb::PodSandboxStatus>("{}")).has_network);
  const auto status = from_message(from_json<pb::PodSandboxStatus>(R"({
    "id": "s1", "metadata": {"name": "web", "uid": "u", "namespace": "ns", "attempt": 1},
    "state": "SANDBOX_NOTREADY", "created_at": 5,
    "network": {"ip": "10.0.0.2", "additional_ips": [{"ip": "fd00::2"}]},
    "linux": {"namespaces": {"options": {"network": "NODE"}}},
    "labels": {"a": "b"}, "annotations": {"c": "d"}})"));
  EXPECT_EQ(status, (PodSandboxStatus{.id = SandboxId("s1"),
                                      .metadata = {"web", "u", "ns", 1},
                                      .state = SandboxState::kNotReady,
                                      .created_at = 5,
                                      .has_network = true,
                                      .ip = "10.0.0.2",
                                      .additional_ips = {"fd00::2"},
                                      .network_mode = NamespaceMode::kNode,
                                      .labels = {{"a", "b"}},
                                      .annotations = {{"c", "d"}}}));
}

TEST(TranslateContainer, a_status_arrives_whole) {
  auto message = from_json<pb::ContainerStatus>(R"({
    "id": "c1", "metadata": {"name": "web", "attempt": 3}, "state": "CONTAINER_EXITED",
    "created_at": 1, "started_at": 2, "finished_at": 3, "exit_code": 137,
    "image": {"image": "busybox:1"}, "image_ref": "r",
    "labels": {"a": "b"}, "annotations": {"c": "d"},
    "mounts": [{"container_path": "/c", "propagation": "PROPAGATION_HOST_TO_CONTAINER"}],
    "log_path": "/l", "resources": {"linux": {"cpu_shares": 2}}, "image_id": "i",
    "user": {"linux": {"uid": 1, "gid": 2, "supplemental_groups": [3]}}, "stop_signal": 4})");
  message.set_reason("OOMKilled");
  message.set_message("m");
  const auto status = from_message(message);
  EXPECT_EQ(status, (ContainerStatus{.id = ContainerId("c1"),
                                     .metadata = {"web", 3},
                                     .state = ContainerState::kExited,
                                     .created_at = 1,
                                     .started_at = 2,
                                     .finished_at = 3,
                                     .exit_code = 137,
                                     .image = "busybox:1",
                                     .image_ref = "r",
                                     .reason = "OOMKilled",
                                     .message = "m",
                                     .labels = {{"a", "b"}},
                                     .annotations = {{"c", "d"}},
                                     .mounts = {{.container_path = "/c",
                                                 .propagation = Propagation::kHostToContainer}},
                                     .log_path = "/l",
                                     .resources = LinuxContainerResources{.cpu_shares = 2},
                                     .image_id = "i",
                                     .user = LinuxUser{1, 2, {3}},
                                     .stop_signal = 4}));
}

// A character of three bytes, of which a cut has left two.
constexpr const char* kCut = "runc: \xe2\x82";
constexpr const char* kCutShown = "runc: \\xe2\\x82";

TEST(TranslateContainer, words_of_others_that_are_cut_within_a_character_are_read_and_shown) {
  pb::ContainerStatus sent;
  sent.set_id("c1");
  sent.set_reason(kCut);
  sent.set_message(kCut);
  pb::ContainerStatus message;
  ASSERT_TRUE(message.ParseFromString(sent.SerializeAsString()));
  const auto status = from_message(message);
  EXPECT_EQ(status.id, ContainerId("c1"));
  EXPECT_EQ(status.reason, kCutShown);
  EXPECT_EQ(status.message, kCutShown);
}

TEST(Translate, a_time_before_1970_is_unknown_and_one_without_end_leaves_room_for_periods) {
  constexpr std::int64_t kMost = std::numeric_limits<std::int64_t>::max();
  constexpr std::int64_t kGosZeroTime = -6'795'364'578'871'345'152;
  const std::pair<std::int64_t, std::int64_t> rows[] = {
      {kGosZeroTime, 0}, {-1, 0}, {7, 7}, {kMost / 2, kMost / 2}, {kMost, kMost / 2}};
  for (const auto& [theirs, ours] : rows) {
    pb::ContainerStatus status;
    status.set_created_at(theirs);
    status.set_started_at(theirs);
    status.set_finished_at(theirs);
    EXPECT_EQ(from_message(status).created_at, ours);
    EXPECT_EQ(from_message(status).started_at, ours);
    EXPECT_EQ(from_message(status).finished_at, ours);
    pb::Container container;
    container.set_created_at(theirs);
    EXPECT_EQ(from_message(container).created_at, ours);
    pb::PodSandboxStatus sandbox_status;
    sandbox_status.set_created_at(theirs);
    EXPECT_EQ(from_message(sandbox_status).created_at, ours);
    pb::PodSandbox sandbox;
    sandbox.set_created_at(theirs);
    EXPECT_EQ(from_message(sandbox).created_at, ours);
  }
}

TEST(TranslateContainer, a_state_we_do_not_know_makes_nobody_act) {
  pb::ContainerStatus container;
  container.set_state(static_cast<pb::ContainerState>(42));
  EXPECT_EQ(from_message(container).state, ContainerState::kUnknown);
  pb::PodSandboxStatus sandbox;
  sandbox.set_state(static_cast<pb::PodSandboxState>(42));
  EXPECT_EQ(from_message(sandbox).state, SandboxState::kNotReady);
}

TEST(TranslateImage, an_image_arrives_whole) {
  const auto image = from_message(from_json<pb::Image>(R"({
    "id": "sha256:1", "repo_tags": ["t"], "repo_digests": ["d"], "size": "5", "uid": {"value": 0},
    "username": "u", "pinned": true})"));
  EXPECT_EQ(image, (Image{.id = "sha256:1",
                          .repo_tags = {"t"},
                          .repo_digests = {"d"},
                          .size = 5,
                          .uid = 0,
                          .username = "u",
                          .pinned = true}));
}

TEST(TranslateImage, sizes_of_any_kind_have_a_sum) {
  pb::Image image;
  image.set_size(std::numeric_limits<std::uint64_t>::max());
  EXPECT_EQ(from_message(image).size, std::uint64_t{1} << 50);
}

TEST(TranslateRuntime, status_has_conditions_and_handlers) {
  auto message = from_json<pb::StatusResponse>(R"({
    "status": {"conditions": [{"type": "NetworkReady"}]},
    "runtime_handlers": [{"name": "runc", "features": {"recursive_read_only_mounts": true}}],
    "features": {"supplemental_groups_policy": true}})");
  message.mutable_status()->mutable_conditions(0)->set_reason("r");
  message.mutable_status()->mutable_conditions(0)->set_message("m");
  const auto status = from_message(message);
  EXPECT_EQ(status, (RuntimeStatus{.conditions = {{"NetworkReady", false, "r", "m"}},
                                   .handlers = {{"runc", true, false}},
                                   .supplemental_groups_policy = true}));
}

TEST(TranslateRuntime, a_status_with_bytes_that_are_no_text_is_read) {
  pb::StatusResponse sent;
  auto& condition = *sent.mutable_status()->add_conditions();
  condition.set_type("NetworkReady");
  condition.set_reason(kCut);
  condition.set_message(kCut);
  (*sent.mutable_info())["config"] = R"({"sandboxImage": "i"})";
  (*sent.mutable_info())["other"] = kCut;
  pb::StatusResponse message;
  ASSERT_TRUE(message.ParseFromString(sent.SerializeAsString()));
  const RuntimeSetup setup = setup_from(message);
  const std::vector<RuntimeCondition> shown = {{"NetworkReady", false, kCutShown, kCutShown}};
  EXPECT_EQ(setup.status.conditions, shown);
  EXPECT_EQ(setup.sandbox_image, "i");
  (*message.mutable_info())["config"] = kCut;
  EXPECT_EQ(setup_from(message).sandbox_image, "");
}

TEST(TranslateRuntime, the_cgroup_driver_is_known_only_where_it_is_reported) {
  EXPECT_EQ(cgroup_driver({}), std::nullopt);
  EXPECT_EQ(cgroup_driver(from_json<pb::RuntimeConfigResponse>(R"({"linux": {}})")), "systemd");
  EXPECT_EQ(cgroup_driver(from_json<pb::RuntimeConfigResponse>(
                R"({"linux": {"cgroup_driver": "CGROUPFS"}})")),
            "cgroupfs");
}

TEST(TranslateRuntime, the_sandbox_image_is_read_from_a_verbose_status_that_names_it) {
  pb::StatusResponse reply;
  EXPECT_EQ(sandbox_image(reply), "");
  for (const char* other : {"", "not JSON", "[1]", "{}", R"({"sandboxImage": 1})"}) {
    (*reply.mutable_info())["config"] = other;
    EXPECT_EQ(sandbox_image(reply), "") << other;
  }
  (*reply.mutable_info())["config"] = R"({"sandboxImage": "registry.k8s.io/pause:3.6", "more": 1})";
  EXPECT_EQ(sandbox_image(reply), "registry.k8s.io/pause:3.6");
}

TEST(TranslateRuntime, a_verbose_status_says_how_containerd_1_is_set_up) {
  auto reply = from_json<pb::StatusResponse>(
      R"({"status": {"conditions": [{"type": "NetworkReady", "status": true}]}})");
  (*reply.mutable_info())["config"] = R"({
    "containerd": {"defaultRuntimeName": "kata", "runtimes": {
      "kata": {"options": {"SystemdCgroup": true}}, "runc": {"options": {"SystemdCgroup": false}}}},
    "cni": {"binDir": "/opt/cni/bin", "confDir": "/etc/cni/net.d"},
    "sandboxImage": "registry.k8s.io/pause:3.6", "restrictOOMScoreAdj": true})";
  const RuntimeSetup setup = setup_from(reply);
  EXPECT_EQ(setup.cgroup_driver, "systemd");
  EXPECT_EQ(setup.default_handler, "kata");
  EXPECT_EQ(setup.cni_conf_dir, "/etc/cni/net.d");
  EXPECT_EQ(setup.sandbox_image, "registry.k8s.io/pause:3.6");
  EXPECT_EQ(setup.restricts_oom_scores, true);
  EXPECT_EQ(setup.status.conditions.size(), 1U);
}

TEST(TranslateRuntime, a_setup_that_cannot_be_read_is_not_reported) {
  pb::StatusResponse reply;
  for (const char* other :
       {"", "not JSON", "[1]", "{}", R"({"containerd": 1})",
        R"({"containerd": {"defaultRuntimeName": "runc", "runtimes": {"runc": null}}})",
        R"({"containerd": {"defaultRuntimeName": "runc",
            "runtimes": {"runc": {"options": {"SystemdCgroup": "yes"}}}}})"}) {
    (*reply.mutable_info())["config"] = other;
    EXPECT_EQ(setup_from(reply).cgroup_driver, std::nullopt) << other;
    EXPECT_EQ(setup_from(reply).cni_conf_dir, "") << other;
    EXPECT_EQ(setup_from(reply).restricts_oom_scores, std::nullopt) << other;
  }
}

}  // namespace
}  // namespace berth::cri
