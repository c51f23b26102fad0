// SPDX-License-Identifier: Apache-2.0

#include "agent/doctor/doctor.hpp"

#include <algorithm>
#include <type_traits>

#include <gtest/gtest.h>

#include "node/sandbox_config.hpp"

namespace berth::agent {
namespace {

constexpr const char* kPod = R"(apiVersion: v1
kind: Pod
metadata:
  name: web
spec:
  containers:
  - name: c
    image: busybox:1
)";

constexpr const char* kPinned = R"(apiVersion: v1
kind: Pod
metadata:
  name: web
  uid: 11111111-2222-3333-4444-555555555555
spec:
  containers:
  - name: c
    image: busybox:1
)";

constexpr const char* kConfigMap = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: m}\n";

struct Node {
  Settings settings{};
  ManifestReport report{.path = "/m", .exists = true};
  DoctorInput input{.settings = settings, .manifests = report};

  Node() { settings.node_name = "node1"; }
  void run(const std::string& file, const std::string& text, api::Pod pod) {
    input.texts.push_back({.file = file, .content = text});
    input.pods.push_back({.pod = std::make_shared<const api::Pod>(std::move(pod)), .file = file});
  }
  [[nodiscard]] std::string only_text() const {
    const auto findings = examine(input);
    return findings.size() == 1 ? findings[0].text : "findings: " + std::to_string(findings.size());
  }
};

api::Pod web(const char* phase = "Running") {
  api::Pod pod;
  pod.metadata.name = "web-node1";
  pod.metadata.namespace_ = "default";
  pod.status.phase = phase;
  return pod;
}

TEST(Doctor, finds_nothing_where_all_is_well) {
  Node node;
  EXPECT_TRUE(examine(node.input).empty());
}

TEST(Doctor, a_kubelet_recreates_what_has_no_uid_of_its_own) {
  Node node;
  node.run("web.yaml", kPod, web());
  const auto findings = examine(node.input);
  ASSERT_EQ(findings.size(), 1U);
  EXPECT_EQ(findings[0].severity, Severity::kNote);
  EXPECT_EQ(findings[0].area, "takeover");
  EXPECT_EQ(findings[0].subject, "default/web-node1");
  EXPECT_EQ(findings[0].text,
            "a kubelet would recreate it: it gives the pod a uid of its own; a metadata.uid in "
            "web.yaml prevents that");
}

TEST(Doctor, a_kubelet_does_not_resolve_priority_classes) {
  Node node;
  auto pod = web();
  pod.spec.priorityClassName = "urgent";
  pod.spec.priority = 1000;
  node.run("web.yaml", kPinned, pod);
  EXPECT_EQ(node.only_text(),
            "its priority 1000 comes from priorityClassName urgent, which a kubelet does not "
            "resolve: there it would have 0; a spec.priority in web.yaml prevents that");
  Node stated;
  pod.spec.priority = 0;
  stated.run("web.yaml", kPinned, pod);
  EXPECT_TRUE(examine(stated.input).empty());
}

TEST(Doctor, a_kubelet_goes_on_with_a_pinned_uid_and_with_a_pod_that_was_its_own) {
  Node pinned;
  pinned.run("web.yaml", kPinned, web());
  EXPECT_TRUE(examine(pinned.input).empty()) << pinned.only_text();
  Node adopted;
  auto pod = web();
  pod.metadata.annotations[node::kAnnotationAdopted] = "kubelet";
  adopted.run("web.yaml", kPod, pod);
  EXPECT_TRUE(examine(adopted.input).empty()) << adopted.only_text();
}

TEST(Doctor, a_kubelet_runs_a_finished_job_again) {
  Node node;
  node.run("web.yaml", kPod, web("Succeeded"));
  EXPECT_NE(node.only_text().find("would run it again"), std::string::npos) << node.only_text();
}

TEST(Doctor, a_kubelet_ends_what_it_does_not_find_or_refuses) {
  Node second;
  second.run("all.yaml", std::string(kConfigMap) + "---\n" + kPinned, web());
  EXPECT_NE(second.only_text().find("a kubelet would end it: it refuses all.yaml"),
            std::string::npos)
      << second.only_text();
  Node later;
  std::string other(kPinned);
  other.replace(other.find("web"), 3, "api");
  later.run("all.yaml", other + "---\n" + kPinned, web());
  EXPECT_NE(later.only_text().find("reads the first document only"), std::string::npos)
      << later.only_text();
  Node refers;
  refers.run("web.yaml", std::string(kPinned) + "    envFrom:\n    - configMapRef: {name: m}\n",
             web());
  EXPECT_NE(refers.only_text().find("static pods may not reference configmaps"), std::string::npos)
      << refers.only_text();
}

TEST(Doctor, names_what_of_the_folder_is_not_run) {
  Node node;
  node.report.ignored_files = {".hidden", "gone.yaml", "web.txt"};
  node.report.problems = {{.file = "b.yaml",
                           .line = 3,
                           .column = 5,
                           .path = "spec.containers",
                           .message = "Required value",
                           .kept_pods = {"default/b-node1"}}};
  auto held = web("Pending");
  held.status.reason = "NotSupported";
  held.status.message = "spec.hostUsers";
  node.input.pods.push_back({.pod = std::make_shared<const api::Pod>(held)});
  const auto findings = examine(node.input);
  ASSERT_EQ(findings.size(), 5U);
  EXPECT_EQ(findings[0].severity, Severity::kTrouble);
  EXPECT_EQ(findings[0].text,
            "3:5: spec.containers: Required value; meanwhile from its last good version: "
            "default/b-node1");
  EXPECT_EQ(findings[1].text, "is not read: only files named *.yaml, *.yml and *.json are");
  EXPECT_EQ(findings[2].text, "is not read: it is not a file, or a link to a missing one");
  EXPECT_EQ(findings[3].text,
            "is not read: only files named *.yaml, *.yml and *.json are; a kubelet would read it");
  EXPECT_EQ(findings[4].text, "is not run: NotSupported: spec.hostUsers");
}

TEST(Doctor, names_what_is_wrong_with_runtime_store_and_configuration) {
  Node node;
  node.settings.unused_fields = {"streamingConnectionIdleTimeout"};
  node.input.runtime.error = "no such file";
  node.input.events.missed = 2;
  node.input.store = {.failing_since = "2026-01-02T03:04:05Z", .error = "disk full"};
  const auto findings = examine(node.input);
  ASSERT_EQ(findings.size(), 4U);
  EXPECT_EQ(findings[0].area, "runtime");
  EXPECT_EQ(findings[0].severity, Severity::kTrouble);
  EXPECT_EQ(findings[1].area, "runtime");
  EXPECT_EQ(findings[2].area, "store");
  EXPECT_NE(findings[2].text.find("disk full"), std::string::npos);
  EXPECT_EQ(findings[3].area, "configuration");
  EXPECT_EQ(findings[3].severity, Severity::kNote);
}

TEST(Doctor, names_what_keeps_pods_from_being_stopped_in_order) {
  Node node;
  node.input.shutdown_complaint = {.problem = "the machine waits for 5s at most",
                                   .advice = "have it wait longer"};
  EXPECT_EQ(node.only_text(), "the machine waits for 5s at most");
  EXPECT_EQ(examine(node.input).front().advice, "have it wait longer");
  EXPECT_EQ(examine(node.input).front().severity, Severity::kWarning);
  EXPECT_EQ(examine(node.input).front().area, "configuration");
}

TEST(Doctor, names_folders_that_cannot_be_written) {
  Node node;
  node.input.read_only = {"/var/lib/berth"};
  const auto findings = examine(node.input);
  ASSERT_EQ(findings.size(), 1U);
  EXPECT_EQ(findings[0].area, "pods");
  EXPECT_EQ(findings[0].subject, "/var/lib/berth");
  EXPECT_EQ(findings[0].severity, Severity::kTrouble);
  EXPECT_TRUE(findings[0].text.starts_with("its file system is mounted read-only"));
}

TEST(Doctor, names_the_task_that_containerd_has_lost_and_how_it_is_deleted) {
  Node node;
  node.settings.runtime.endpoint = "unix:///run/containerd/containerd.sock";
  node.input.held = {{.pod = std::make_shared<const api::Pod>(web()),
                      .obstacle = {.kind = lifecycle::ObstacleKind::kRemoval,
                                   .id = "5a4d",
                                   .error = "cannot delete running task 0c1a: failed precondition",
                                   .since = WallTime{std::chrono::seconds{60}}},
                      .lost_task_of = "c"}};
  const auto findings = examine(node.input);
  ASSERT_EQ(findings.size(), 1U);
  EXPECT_EQ(findings[0].severity, Severity::kTrouble);
  EXPECT_EQ(findings[0].area, "pods");
  EXPECT_EQ(findings[0].subject, "default/web-node1");
  EXPECT_EQ(findings[0].text,
            "since 1970-01-01T00:01:00Z: the runtime refuses to remove its sandbox 5a4d: cannot "
            "delete running task 0c1a: failed precondition");
  EXPECT_EQ(findings[0].advice,
            "containerd has lost the task 0c1a of container c; `ctr -n k8s.io tasks delete --force "
            "0c1a` deletes it, and berthd then removes the rest");
}

TEST(Doctor, an_end_that_the_store_has_not_taken_is_a_warning_beside_the_trouble_of_the_store) {
  Node node;
  node.input.held = {{.pod = std::make_shared<const api::Pod>(web()),
                      .obstacle = {.kind = lifecycle::ObstacleKind::kFinalPhase,
                                   .error = "database or disk is full"}}};
  const auto findings = examine(node.input);
  ASSERT_EQ(findings.size(), 1U);
  EXPECT_EQ(findings[0].severity, Severity::kWarning);
  EXPECT_NE(findings[0].text.find("not persisted yet; the store: database or disk is full"),
            std::string::npos)
      << findings[0].text;
}

// containerd 1.6 as in Debian 12.
cri::RuntimeSetup containerd() {
  return {.version = {.runtime_name = "containerd", .runtime_version = "1.6.20"},
          .status = {.conditions = {{.type = "RuntimeReady", .status = true},
                                    {.type = "NetworkReady", .status = true}}},
          .cgroup_driver = "cgroupfs",
          .default_handler = "runc",
          .sandbox_image = "registry.k8s.io/pause:3.6",
          .cni_conf_dir = "/etc/cni/net.d"};
}

// All findings except the note about the runtime's version.
std::vector<Finding> beside_its_version(const Node& node) {
  auto findings = examine(node.input);
  std::erase_if(findings, [](const Finding& finding) {
    return finding.severity == Severity::kNote && finding.text.starts_with("answers: ");
  });
  return findings;
}

TEST(Doctor, of_a_runtime_that_is_set_up_well_it_says_what_it_is_and_lacks) {
  Node node;
  node.input.runtime.setup = containerd();
  EXPECT_EQ(node.only_text(),
            "answers: containerd 1.6.20, handler runc; without: RuntimeConfig (so cgroupDriver has "
            "to be set by hand), user namespaces, recursive read-only mounts, "
            "supplementalGroupsPolicy Strict");
  EXPECT_EQ(examine(node.input).front().severity, Severity::kNote);
  EXPECT_EQ(examine(node.input).front().area, "runtime");
}

TEST(Doctor, what_the_handler_of_ordinary_pods_can_do_counts) {
  Node node;
  cri::RuntimeSetup& setup = node.input.runtime.setup;
  setup = containerd();
  setup.version.runtime_version = "2.1.4";
  setup.status.supplemental_groups_policy = true;
  setup.status.handlers = {
      {.name = "kata"},
      {.name = "runc", .recursive_read_only_mounts = true, .user_namespaces = true}};
  EXPECT_EQ(node.only_text(),
            "answers: containerd 2.1.4, handler runc, with all features of CRI that pods may ask "
            "for");
  setup.status.handlers[1].recursive_read_only_mounts = false;
  EXPECT_EQ(node.only_text(),
            "answers: containerd 2.1.4, handler runc; without: recursive read-only mounts");
}

TEST(Doctor, a_condition_that_kubernetes_does_not_know_keeps_no_pod_from_starting) {
  Node node;
  node.input.runtime.setup = containerd();
  node.input.runtime.setup.status.conditions.push_back(
      {.type = "ContainerdHasNoDeprecationWarnings", .reason = "ContainerdHasDeprecationWarnings"});
  const auto findings = beside_its_version(node);
  ASSERT_EQ(findings.size(), 1U);
  EXPECT_EQ(findings[0].severity, Severity::kNote);
  EXPECT_EQ(findings[0].text,
            "ContainerdHasNoDeprecationWarnings is false: ContainerdHasDeprecationWarnings");
}

TEST(Doctor, an_event_stream_that_is_not_open_is_named_with_what_opens_it) {
  Node node;
  node.input.runtime.setup = containerd();
  node.input.events.connected = false;
  node.input.events.error = "the stream ended";
  auto findings = beside_its_version(node);
  ASSERT_EQ(findings.size(), 1U);
  EXPECT_EQ(findings[0].severity, Severity::kWarning);
  EXPECT_EQ(findings[0].text,
            "its event stream is not open (the stream ended): exits are found by listing, up to a "
            "second late");
  EXPECT_NE(findings[0].advice.find("restart containerd"), std::string::npos);
  node.input.runtime.setup.version = {.runtime_name = "cri-o", .runtime_version = "1.31.0"};
  findings = beside_its_version(node);
  ASSERT_EQ(findings.size(), 1U);
  EXPECT_EQ(findings[0].advice,
            "write enable_pod_events = true below [crio.runtime] in its configuration "
            "(/etc/crio/crio.conf), and restart it (systemctl restart crio: pods go on)");
}

TEST(Doctor, a_runtime_that_does_not_answer_is_looked_for_by_the_name_of_its_unit) {
  Node node;
  node.settings.runtime.endpoint = "unix:///run/crio/crio.sock";
  node.input.runtime.error = "no such file";
  EXPECT_EQ(examine(node.input).front().advice,
            "see why (systemctl status crio, journalctl -u crio) and start it (systemctl start "
            "crio); if it listens elsewhere, set containerRuntimeEndpoint");
}

TEST(Doctor, names_pods_that_run_in_cgroups_of_another_driver) {
  Node node;
  node.input.cgroups.driver = node::CgroupDriver::kSystemd;
  auto pod = web();
  pod.metadata.uid = "11111111-2222-3333-4444-555555555555";
  node.run("web.yaml", kPinned, pod);
  EXPECT_TRUE(examine(node.input).empty());
  node.input.cgroups.of_other_driver = {pod.metadata.uid};
  const auto findings = examine(node.input);
  ASSERT_EQ(findings.size(), 1U);
  EXPECT_EQ(findings[0].severity, Severity::kWarning);
  EXPECT_EQ(findings[0].subject, "default/web-node1");
  EXPECT_TRUE(findings[0].text.starts_with(
      "runs in cgroups of the driver cgroupfs, from before the change to systemd"))
      << findings[0].text;
}

TEST(Doctor, asks_for_a_system_bus_only_if_systemd_makes_the_slices) {
  Node node;
  node.input.machine = MachineFacts{.has_system_bus = false};
  const auto of_bus = [&node] {
    return std::ranges::count(examine(node.input), std::string("system bus"), &Finding::subject);
  };
  EXPECT_EQ(of_bus(), 0);
  node.input.cgroups.driver = node::CgroupDriver::kSystemd;
  EXPECT_EQ(of_bus(), 1);
  node.input.machine->has_system_bus = true;
  EXPECT_EQ(of_bus(), 0);
}

TEST(Doctor, names_both_ways_out_of_another_cgroup_driver) {
  Node node;
  node.settings.config_file = "/etc/berth/config.yaml";
  node.input.runtime.setup = containerd();
  node.input.runtime.setup.cgroup_driver = "systemd";
  const auto findings = beside_its_version(node);
  ASSERT_EQ(findings.size(), 1U);
  EXPECT_EQ(findings[0].severity, Severity::kTrouble);
  EXPECT_EQ(findings[0].area, "runtime");
  EXPECT_EQ(findings[0].text,
            "no pod is started: the cgroup driver of the container runtime is systemd, and "
            "berthd's is cgroupfs");
  EXPECT_EQ(findings[0].advice,
            "either write cgroupDriver: systemd in /etc/berth/config.yaml and restart berthd, or "
            "write SystemdCgroup = false below "
            "[plugins.\"io.containerd.grpc.v1.cri\".containerd.runtimes.runc.options] in "
            "/etc/containerd/config.toml and restart containerd");
}

TEST(Doctor, a_missing_pod_network_is_named_with_the_folder_for_it) {
  Node node;
  node.input.runtime.setup = containerd();
  node.input.runtime.setup.cni_conf_dir = "/opt/cni";
  node.input.runtime.setup.status.conditions[1] = {
      .type = "NetworkReady",
      .reason = "NetworkPluginNotReady",
      .message = "Network plugin returns error: cni plugin not initialized"};
  const auto findings = beside_its_version(node);
  ASSERT_EQ(findings.size(), 1U);
  EXPECT_EQ(findings[0].severity, Severity::kTrouble);
  EXPECT_EQ(findings[0].text,
            "NetworkReady is false: NetworkPluginNotReady: Network plugin returns error: cni "
            "plugin not initialized; only pods with hostNetwork are started meanwhile");
  EXPECT_EQ(findings[0].advice,
            "put the configuration of a pod network (*.conflist) into /opt/cni; the plugins it "
            "names come with the package containernetworking-plugins");
}

TEST(Doctor, a_missing_sandbox_image_is_named_with_how_to_get_it) {
  Node node;
  node.input.runtime.setup = containerd();
  node.input.runtime.sandbox_image_missing = true;
  const auto findings = beside_its_version(node);
  ASSERT_EQ(findings.size(), 1U);
  EXPECT_EQ(findings[0].text,
            "the sandbox image registry.k8s.io/pause:3.6 is not on this node: the next pod pulls "
            "it, and does not start where its registry cannot be reached");
  EXPECT_EQ(findings[0].advice,
            "pull it now (ctr -n k8s.io images pull registry.k8s.io/pause:3.6), or name one that "
            "is there as sandbox_image in /etc/containerd/config.toml");
}

TEST(Doctor, of_a_berthd_that_is_down_it_says_so_first_and_what_nobody_looked_at) {
  Node node;
  node.input.examiner = Examiner::kInItsPlace;
  node.input.silent = "cannot reach berthd: no such file";
  node.input.refused = {{.file = "config.yaml", .line = 3, .path = "maxPods", .message = "is bad"}};
  node.run("web.yaml", kPod, web());
  const auto findings = examine(node.input);
  ASSERT_EQ(findings.size(), 6U);
  EXPECT_EQ(findings[0].area, "berthd");
  EXPECT_EQ(findings[0].severity, Severity::kTrouble);
  EXPECT_EQ(findings[0].text, "cannot reach berthd: no such file");
  EXPECT_NE(findings[1].text.find("refuses to start"), std::string::npos) << findings[1].text;
  EXPECT_EQ(findings[2].area, "store");
  EXPECT_EQ(findings[3].area, "pods");
  EXPECT_EQ(findings[4].area, "takeover");
  EXPECT_EQ(findings[5].area, "configuration");
  EXPECT_EQ(findings[5].text, "config.yaml:3: maxPods: is bad");
}

TEST(Doctor, before_a_start_nobody_misses_berthd_or_its_pods) {
  Node node;
  node.input.examiner = Examiner::kBeforeStart;
  node.input.refused = {{.file = "config.yaml", .line = 3, .path = "maxPods", .message = "is bad"}};
  node.run("web.yaml", kPod, web());
  EXPECT_EQ(node.only_text(), "config.yaml:3: maxPods: is bad");
}

// Breaks everything that can be broken at the same time.
void break_everything(Node& node) {
  DoctorInput& input = node.input;
  node.settings.unused_fields = {"streamingConnectionIdleTimeout"};
  node.settings.warnings = {"maxPods: is more than the node's addresses"};
  node.report.unreadable = "Input/output error";
  node.report.ignored_files = {"web.txt"};
  node.report.problems = {{.file = "b.yaml", .message = "Required value"},
                          {.file = "c.yaml", .message = "unknown field", .warning = true}};
  node.report.secrets_at_risk = {
      {.file = "b.yaml", .secret = "default/keys"},
      {.file = "b.yaml", .secret = "default/more", .state = SecretState::kMissing}};
  input.refused = {{.file = "config.yaml", .path = "maxPods", .message = "is bad"}};
  input.runtime.setup = containerd();
  input.runtime.setup.cgroup_driver = "systemd";
  for (auto& condition : input.runtime.setup.status.conditions) condition.status = false;
  input.runtime.sandbox_image_missing = true;
  input.shutdown_complaint = {.problem = "nobody announces it", .advice = "start logind"};
  input.events.connected = false;
  input.events.missed = 2;
  input.store = {.failing_since = "2026-01-02T03:04:05Z",
                 .error = "disk full",
                 .history_dropped = 3,
                 .unreadable_pods = 1,
                 .moved_aside = "/var/lib/berth/state.db.damaged"};
  input.read_only = {"/var/lib/berth"};
  input.machine = MachineFacts{.kernel = "5.4.0", .capabilities = 0, .granted = 0};
  auto held = web("Pending");
  held.metadata.uid = "u";
  held.status.reason = "NotSupported";
  const auto pod = std::make_shared<const api::Pod>(held);
  input.pods = {{.pod = pod}};
  input.cgroups.of_other_driver = {"u"};
  for (const auto kind : {lifecycle::ObstacleKind::kStop, lifecycle::ObstacleKind::kRemoval,
                          lifecycle::ObstacleKind::kCleanup, lifecycle::ObstacleKind::kFinalPhase})
    input.held.push_back({.pod = pod, .obstacle = {.kind = kind, .id = "5a4d", .error = "busy"}});
}

// The type ensures that no other finding can be constructed: these are all of them.
TEST(Doctor, every_finding_worse_than_a_note_says_what_to_do) {
  static_assert(!std::is_aggregate_v<Finding> && !std::is_default_constructible_v<Finding>);
  static_assert(!std::is_constructible_v<Finding, Severity, const char*, const char*, const char*>);
  Node node;
  break_everything(node);
  std::size_t worse = 0;
  for (const Examiner examiner : {Examiner::kBerthd, Examiner::kInItsPlace}) {
    node.input.examiner = examiner;
    node.input.silent = "cannot reach berthd";
    for (const std::string error : {"", "no such file"}) {
      node.input.runtime.error = error;
      for (const Finding& finding : examine(node.input)) {
        if (finding.severity == Severity::kNote) continue;
        ++worse;
        EXPECT_FALSE(finding.advice.empty()) << finding.text;
        EXPECT_FALSE(finding.text.empty()) << finding.advice;
      }
    }
  }
  EXPECT_GT(worse, 60U) << "the case above no longer breaks everything";
  node.input.examiner = Examiner::kInItsPlace;
  node.report.exists = false;
  const auto findings = examine(node.input);
  EXPECT_TRUE(std::ranges::any_of(findings, [](const Finding& finding) {
    return finding.text == "the folder does not exist" && finding.advice.starts_with("make it");
  }));
}

TEST(Doctor, advice_is_never_empty) {
  EXPECT_DEATH(Advice(""), "advice says what to do");
}

}  // namespace
}  // namespace berth::agent
