// SPDX-License-Identifier: Apache-2.0

// ConfigMaps and Secrets under a running pod: what is written again, what starts, and what is left
// unchanged.
#include <memory>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "tests/unit/lifecycle/pod_set_fixture.hpp"

namespace berth::lifecycle {
namespace {

node::ObjectsPtr settings(const std::string& value) {
  api::ConfigMap map{.metadata = {.name = "settings", .namespace_ = "default"}};
  map.data["key"] = value;
  return node::make_objects({map}, {});
}

std::shared_ptr<api::Pod> pod() {
  return lifecycle::pod("u1", {container("main", {"sim"})});
}

std::shared_ptr<api::Pod> pod_with_volume() {
  auto made = pod();
  made->spec.volumes = {{.name = "v", .configMap = api::ConfigMapVolumeSource{.name = "settings"}}};
  made->spec.containers[0].volumeMounts = {{.name = "v", .mountPath = "/v"}};
  return made;
}

class PodVolumesTest : public PodSetTest {
 protected:
  void run(std::vector<PodPtr> pods, node::ObjectsPtr objects) {
    agent->pods().set_objects(std::move(objects));
    agent->pods().set_desired(std::move(pods));
    drain();
    clock.advance(1s);
  }
  void change(node::ObjectsPtr objects) {
    agent->pods().set_objects(std::move(objects));
    drain();
    clock.advance(200ms);
  }
  [[nodiscard]] std::string phase() const { return status().phase; }
};

TEST_F(PodVolumesTest, an_edit_is_written_and_the_container_left_alone) {
  run({pod_with_volume()}, settings("one"));
  EXPECT_EQ(phase(), "Running");
  EXPECT_EQ(host.volumes_of("u1").set_ups, 1);
  const auto edited = settings("two");
  change(edited);
  EXPECT_EQ(host.volumes_of("u1").set_ups, 2);
  EXPECT_EQ(host.volumes_of("u1").objects, edited);
  clock.advance(10min);
  EXPECT_EQ(host.volumes_of("u1").set_ups, 2);
  EXPECT_EQ(runtime.instances().size(), 1U);
  EXPECT_TRUE(runtime.instances()[0].live());
}

TEST_F(PodVolumesTest, an_edit_of_what_a_pod_does_not_mention_is_nothing_to_it) {
  run({pod_with_volume()}, settings("one"));
  auto more = *settings("one");
  more.add(api::ConfigMap{.metadata = {.name = "other", .namespace_ = "default"}});
  change(std::make_shared<const node::Objects>(more));
  EXPECT_EQ(host.volumes_of("u1").set_ups, 1);
}

TEST_F(PodVolumesTest, a_later_berthd_writes_what_was_edited_meanwhile) {
  run({pod_with_volume()}, settings("one"));
  end_agent();
  begin_agent();
  const auto edited = settings("two");
  run({pod_with_volume()}, edited);
  EXPECT_EQ(host.volumes_of("u1").objects, edited);
  EXPECT_EQ(runtime.instances().size(), 1U);
}

TEST_F(PodVolumesTest, what_cannot_be_set_up_is_tried_again_and_keeps_the_pod_waiting) {
  host.set_fails(1000);
  run({pod_with_volume()}, settings("one"));
  clock.advance(30s);
  EXPECT_EQ(phase(), "Pending");
  EXPECT_TRUE(runtime.instances().empty());
  host.set_fails(0);
  clock.advance(15s);
  EXPECT_EQ(phase(), "Running");
}

TEST_F(PodVolumesTest, a_pod_that_cannot_be_prepared_has_no_sandbox) {
  host.set_fails(1000);
  run({pod()}, settings("one"));
  clock.advance(30s);
  EXPECT_EQ(phase(), "Pending");
  EXPECT_TRUE(runtime.sandboxes().empty());
  host.set_fails(0);
  clock.advance(15s);
  EXPECT_EQ(phase(), "Running");
}

TEST_F(PodVolumesTest, a_refresh_that_fails_leaves_the_container_running) {
  run({pod_with_volume()}, settings("one"));
  host.set_fails(1000);
  change(settings("two"));
  clock.advance(1min);
  EXPECT_EQ(phase(), "Running");
  host.set_fails(0);
  const auto last = settings("three");
  change(last);
  EXPECT_EQ(host.volumes_of("u1").objects, last) << "a change is no reason to wait any longer";
}

TEST_F(PodVolumesTest, a_container_that_waits_for_a_config_map_starts_when_it_comes) {
  auto made = pod();
  made->spec.containers[0].envFrom = {
      {.configMapRef = api::ConfigMapEnvSource{.name = "settings"}}};
  run({made}, node::make_objects({}, {}));
  clock.advance(1min);
  const auto& waiting = shown.last->status.containerStatuses.at(0).state.waiting;
  ASSERT_TRUE(waiting);
  EXPECT_EQ(waiting->reason, "CreateContainerConfigError");
  EXPECT_EQ(waiting->message, "configmaps \"settings\" not found");
  change(settings("one"));
  EXPECT_EQ(phase(), "Running");
}

TEST_F(PodVolumesTest, a_missing_pull_secret_is_reported_once_although_nothing_is_pulled) {
  auto made = pod();
  made->spec.imagePullSecrets = {{.name = "gone"}};
  run({made}, node::make_objects({}, {}));
  clock.advance(1min);
  EXPECT_EQ(phase(), "Running");
  EXPECT_EQ(recorded_events.count("Pulling: "), 0);
  EXPECT_EQ(recorded_events.count(
                "FailedToRetrieveImagePullSecret: Unable to retrieve some image pull secrets "
                "(gone); attempting to pull the image may not succeed."),
            1);
  EXPECT_EQ(recorded_events.count("FailedToRetrieveImagePullSecret"), 1);
}

TEST_F(PodVolumesTest, a_job_that_is_done_is_not_recorded) {
  auto made = pod_with_volume();
  made->spec.restartPolicy = "Never";
  made->spec.containers[0].command = {"sim", "exit=0", "after=100"};
  run({made}, settings("one"));
  EXPECT_EQ(phase(), "Succeeded");
  const auto recorded = kept.records.size();
  change(settings("two"));
  EXPECT_EQ(kept.records.size(), recorded);
}

TEST_F(PodVolumesTest, a_pull_secret_that_cannot_be_read_fails_the_pull_until_it_is_mended) {
  const auto registry = [](const std::string& json) {
    api::Secret secret{.metadata = {.name = "registry", .namespace_ = "default"}};
    secret.type = "kubernetes.io/dockerconfigjson";
    secret.data[".dockerconfigjson"] = {.data = json};
    return node::make_objects({}, {secret});
  };
  auto made = pod();
  made->spec.containers[0].image = "hub/app1:1";
  made->spec.imagePullSecrets = {{.name = "registry"}, {.name = "missing"}};
  run({made}, registry("hunter2"));
  const auto& waiting = shown.last->status.containerStatuses.at(0).state.waiting;
  ASSERT_TRUE(waiting);
  EXPECT_EQ(waiting->reason, "ImagePullBackOff");
  EXPECT_NE(waiting->message.find("the imagePullSecret \"registry\" cannot be read"),
            std::string::npos)
      << waiting->message;
  EXPECT_EQ(waiting->message.find("hunter2"), std::string::npos);
  change(registry("{}"));
  clock.advance(30s);
  EXPECT_EQ(phase(), "Running") << "a secret that is missing is no reason not to try";
}

TEST_F(PodVolumesTest, parts_of_volumes_go_with_the_pod) {
  auto made = pod_with_volume();
  made->spec.containers[0].volumeMounts[0].subPath = "key";
  run({made}, settings("one"));
  EXPECT_EQ(phase(), "Running");
  EXPECT_NE(host.left_of("u1").find("2 mounts"), std::string::npos) << host.left_of("u1");
  run({}, settings("one"));
  clock.advance(1min);
  EXPECT_EQ(shown.gone, std::vector<std::string>{"u1"});
  EXPECT_EQ(host.left_of("u1"), "");
}

}  // namespace
}  // namespace berth::lifecycle
