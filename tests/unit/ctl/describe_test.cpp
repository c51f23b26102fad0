// SPDX-License-Identifier: Apache-2.0

#include "ctl/describe/describe_pod.hpp"

#include <gtest/gtest.h>

namespace berth::ctl {
namespace {

using namespace std::chrono_literals;
using testing::Test;

PodStory crash_loop() {
  PodStory story;
  api::Pod& pod = story.pod;
  pod.metadata.name = "crash-node1";
  pod.metadata.namespace_ = "default";
  pod.metadata.uid = "abc";
  pod.metadata.labels = {{"app", "crash"}, {"tier", "back"}};
  pod.spec.nodeName = "node1";
  pod.spec.priority = 0;
  pod.spec.readinessGates = {{.conditionType = "example.com/attached"}};
  pod.status.startTime = api::Time::from_unix_seconds(0);
  pod.spec.containers = {api::Container{.name = "c", .image = "busybox:1", .command = {"false"}}};
  pod.status.phase = "Running";
  pod.status.qosClass = "BestEffort";
  api::ContainerStatus status{.name = "c", .restartCount = 2};
  status.state.waiting = api::ContainerStateWaiting{.reason = "CrashLoopBackOff",
                                                    .message = "back-off 10s restarting"};
  status.lastState.terminated = api::ContainerStateTerminated{
      .exitCode = 1, .reason = "Error", .startedAt = api::Time::from_unix_seconds(0)};
  pod.status.containerStatuses = {status};
  pod.status.conditions = {
      api::PodCondition{.type = "Ready", .status = "False", .reason = "ContainersNotReady"}};
  story.decisions = {{"03:12:07", "c", "wait", "backoff of 10 s after exit code 1"}};
  api::Event event;
  event.type = "Warning";
  event.reason = "BackOff";
  event.message = "Back-off restarting failed container c";
  event.source.component = "berthd";
  event.count = 3;
  event.firstTimestamp = api::Time::from_unix_seconds(100);
  event.lastTimestamp = api::Time::from_unix_seconds(190);
  story.events = {event};
  story.problems = {"crash.yaml:7:3: spec.containers[0].image: Required value"};
  return story;
}

TEST(DescribePod, says_why_what_runs_would_not_be_admitted_today) {
  PodStory story = crash_loop();
  EXPECT_EQ(describe_pod(story, WallTime{200s}).find("Admission:"), std::string::npos);
  story.refused_today = "NodeAffinity: Predicate NodeAffinity failed";
  EXPECT_NE(describe_pod(story, WallTime{200s})
                .find("would be refused today: NodeAffinity: Predicate NodeAffinity failed\n"),
            std::string::npos);
}

TEST(DescribePod, keeps_kubectls_sections_in_kubectls_order_and_ends_with_decisions) {
  const std::string text = describe_pod(crash_loop(), WallTime{200s});
  std::size_t at = 0;
  for (const char* section :
       {"Name:",           "Namespace:",       "Priority:",   "Node:",    "Start Time:",
        "Labels:",         "Annotations:",     "Status:",     "IP:",      "IPs:",
        "Containers:",     "Readiness Gates:", "Conditions:", "Volumes:", "QoS Class:",
        "Node-Selectors:", "Tolerations:",     "Events:",     "UID:",     "Manifest Problems:",
        "Decisions:"}) {
    const std::size_t found = text.find(std::string("\n") + section, at == 0 ? 0 : at);
    if (at == 0 && text.starts_with(section)) continue;
    ASSERT_NE(found, std::string::npos) << section << " is missing or out of order in\n" << text;
    at = found;
  }
}

TEST(DescribePod, shows_state_and_last_state_of_a_container) {
  const std::string text = describe_pod(crash_loop(), WallTime{200s});
  EXPECT_NE(text.find("State:          Waiting"), std::string::npos) << text;
  EXPECT_NE(text.find("CrashLoopBackOff"), std::string::npos);
  EXPECT_NE(text.find("Last State:     Terminated"), std::string::npos) << text;
  EXPECT_NE(text.find("Thu, 01 Jan 1970 00:00:00 +0000"), std::string::npos);
  EXPECT_NE(text.find("Restart Count:  2"), std::string::npos) << text;
}

TEST(DescribePod, folds_repeated_events) {
  const std::string text = describe_pod(crash_loop(), WallTime{200s});
  EXPECT_NE(text.find("10s (x3 over 100s)"), std::string::npos) << text;
}

TEST(DescribePod, shows_by_when_a_pod_that_is_being_deleted_ends) {
  PodStory story = crash_loop();
  story.pod.metadata.deletionTimestamp = api::Time::from_unix_seconds(230);
  story.pod.metadata.deletionGracePeriodSeconds = 30;
  const std::string text = describe_pod(story, WallTime{200s});
  EXPECT_NE(text.find("Terminating (ends within 30s)"), std::string::npos) << text;
}

// Expects the lines of `part` in the text, exactly as given.
void expect_part(const std::string& text, const std::string& part) {
  EXPECT_NE(text.find(part), std::string::npos) << part << "is missing in\n" << text;
}

TEST(DescribePod, shows_what_a_container_is_given) {
  PodStory story = crash_loop();
  api::Container& container = story.pod.spec.containers[0];
  container.ports = {{.name = "http", .containerPort = 80, .protocol = "TCP"},
                     {.hostPort = 8443, .containerPort = 443, .protocol = "TCP"}};
  container.livenessProbe = api::Probe{
      .timeoutSeconds = 1, .periodSeconds = 10, .successThreshold = 1, .failureThreshold = 3};
  container.livenessProbe->httpGet =
      api::HTTPGetAction{.path = "/healthz", .port = 8080, .scheme = "HTTP"};
  container.resources.limits["memory"] = *api::Quantity::parse("64Mi");
  container.envFrom = {{.prefix = "P_", .configMapRef = api::ConfigMapEnvSource{.name = "web"}}};
  api::EnvVarSource name;
  name.fieldRef = api::ObjectFieldSelector{.apiVersion = "v1", .fieldPath = "metadata.name"};
  api::EnvVarSource memory;
  memory.resourceFieldRef = api::ResourceFieldSelector{.resource = "limits.memory"};
  api::EnvVarSource processors;
  processors.resourceFieldRef = api::ResourceFieldSelector{.resource = "limits.cpu"};
  api::EnvVarSource secret;
  secret.secretKeyRef = api::SecretKeySelector{.name = "keys", .key = "token"};
  container.env = {{.name = "LINES", .value = "one\ntwo"},
                   {.name = "NAME", .valueFrom = name},
                   {.name = "MEMORY", .valueFrom = memory},
                   {.name = "CPUS", .valueFrom = processors},
                   {.name = "TOKEN", .valueFrom = secret}};
  container.volumeMounts = {
      {.name = "tmp", .mountPath = "/tmp"},
      {.name = "cfg", .readOnly = true, .mountPath = "/etc/c", .subPath = "a"}};
  const std::string text = describe_pod(story, WallTime{200s});
  expect_part(text, "Ports:         80/TCP (http), 443/TCP\n");
  expect_part(text, "Host Ports:    0/TCP (http), 8443/TCP\n");
  expect_part(text,
              "http-get http://:8080/healthz delay=0s timeout=1s period=10s #success=1 "
              "#failure=3\n");
  expect_part(text,
              "    Environment Variables from:\n"
              "      web   ConfigMap with prefix 'P_'   Optional: false\n");
  expect_part(text,
              "    Environment:\n"
              "      LINES:   one\n"
              "               two\n"
              "      NAME:    crash-node1 (v1:metadata.name)\n"
              "      MEMORY:  67108864 (limits.memory)\n"
              "      CPUS:    node allocatable (limits.cpu)\n"
              "      TOKEN:   <set to the key 'token' in secret 'keys'>  Optional: false\n");
  expect_part(text,
              "    Mounts:\n"
              "      /etc/c from cfg (ro,path=\"a\")\n"
              "      /tmp from tmp (rw)\n");
}

TEST(DescribePod, shows_each_kind_of_volume_and_toleration) {
  PodStory story = crash_loop();
  api::Volume all{.name = "all"};
  all.projected = api::ProjectedVolumeSource{
      .sources = {{.secret = api::SecretProjection{.name = "s", .optional = true}},
                  {.configMap = api::ConfigMapProjection{.name = "m"}}}};
  api::Volume host{.name = "host"};
  host.hostPath = api::HostPathVolumeSource{.path = "/data"};
  story.pod.spec.volumes = {all, host};
  story.pod.spec.tolerations = {
      {.key = "b", .operator_ = "Exists", .effect = "NoExecute", .tolerationSeconds = 300},
      {.operator_ = "Exists"}};
  const std::string text = describe_pod(story, WallTime{200s});
  expect_part(text,
              "  all:\n"
              "    Type:           Projected (a volume that contains injected data from "
              "multiple sources)\n"
              "    SecretName:     s\n"
              "    Optional:       true\n"
              "    ConfigMapName:  m\n"
              "    Optional:       false\n");
  expect_part(text, "    HostPathType:  <none>\n");
  expect_part(text,
              "Tolerations:     op=Exists\n"
              "                 b:NoExecute op=Exists for 300s\n");
}

TEST(DescribePod, what_a_container_wrote_does_nothing_to_the_terminal) {
  PodStory story = crash_loop();
  story.pod.status.containerStatuses[0].lastState.terminated->message = "a\x1b[31m\nb\n";
  const std::string text = describe_pod(story, WallTime{200s});
  expect_part(text, "Message:      a^[[31m\\nb\n");
}

}  // namespace
}  // namespace berth::ctl
