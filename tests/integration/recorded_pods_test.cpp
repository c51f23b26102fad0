// SPDX-License-Identifier: Apache-2.0

// The recorded pods with probes on a real node, compared field by field with what a kubelet showed
// of them (tests/data/cri-recordings).
//
// Excluded are the fields that a node without a control plane adds (the addresses of the host, and
// when an incarnation was created), and those that differ each time: times, ids, addresses.
#include <fstream>
#include <iterator>
#include <set>

#include "api/codec.hpp"
#include "tests/integration/test_node.hpp"
#include "tests/test_paths.hpp"

namespace berth::integration {
namespace {

namespace json = boost::json;

std::string recorded(const std::string& file) {
  std::ifstream in(test_data() / "cri-recordings" / file);
  EXPECT_TRUE(in) << file;
  return {std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
}

json::value recorded_pod(const std::string& name) {
  const json::value list = json::parse(recorded("pods-running.json"));
  for (const json::value& pod : list.at("items").as_array())
    if (std::string_view(pod.at("metadata").at("name").as_string()) == name) return pod;
  ADD_FAILURE() << name << " was not recorded";
  return {};
}

// Replaces values that differ each time by a placeholder.
void blank(json::value& value) {
  static const std::set<std::string, std::less<>> kChanging = {
      "containerID", "finishedAt", "imageID",   "ip", "lastTransitionTime",
      "podIP",       "startTime",  "startedAt", "uid"};
  if (auto* list = value.if_array()) {
    for (json::value& element : *list) blank(element);
  }
  auto* object = value.if_object();
  if (object == nullptr) return;
  for (auto& [key, field] : *object) {
    if (kChanging.contains(std::string_view(key))) {
      field = "different each time";
    } else {
      blank(field);
    }
  }
}

json::value comparable(json::value pod) {
  auto& annotations = pod.at("metadata").at("annotations").as_object();
  for (const char* key : {"kubernetes.io/config.hash", "kubernetes.io/config.seen"})
    EXPECT_EQ(annotations.erase(key), 1U) << key;
  blank(pod);
  return pod;
}

// Only later versions of containerd than the recorded one report the user of a container's process.
void drop_users(json::value& ours, const json::value& theirs) {
  for (const char* list : {"containerStatuses", "initContainerStatuses"}) {
    auto* statuses = ours.as_object().if_contains(list);
    if (statuses == nullptr || !theirs.as_object().contains(list)) continue;
    for (json::value& status : statuses->as_array()) status.as_object().erase("user");
  }
}

class RecordedPods : public NodeTest {
 protected:
  void expect_as_recorded(const api::Pod& shown, json::value theirs) const {
    json::value ours = api::to_json(shown);
    for (const char* own : {"hostIP", "hostIPs"})
      EXPECT_EQ(ours.at("status").as_object().erase(own), 1U) << own;
    EXPECT_EQ(ours.at("metadata").as_object().erase("creationTimestamp"), 1U);
    ours = comparable(std::move(ours));
    theirs = comparable(std::move(theirs));
    for (const char* part : {"metadata", "spec", "status"}) {
      drop_users(ours.at(part), theirs.at(part));
      const auto& is = ours.at(part).as_object();
      const auto& was = theirs.at(part).as_object();
      for (const auto& [field, value] : was) {
        const json::value* found = is.if_contains(field);
        EXPECT_EQ(found == nullptr ? json::value() : *found, value) << part << "." << field;
      }
      for (const auto& [field, value] : is)
        EXPECT_TRUE(was.contains(field)) << part << "." << field << " is " << value;
    }
  }

  // The container does not end on TERM, and its pod has a long grace period.
  void end_soon(const std::string& pod) const {
    EXPECT_EQ(berthctl({"delete", "pod", pod, "--grace-period=1"}).exit_code, 0);
  }

  void SetUp() override {
    NodeTest::SetUp();
    start_berthd("", "manifestRules: Kubelet\n");
  }
};

TEST_F(RecordedPods, with_every_kind_of_probe_is_shown_as_the_kubelet_showed_it) {
  write_manifest("lifecycle.yaml", recorded("manifests/lifecycle.yaml"));
  expect_as_recorded(wait_for("lifecycle", "ready", ready), recorded_pod("lifecycle-node1"));
  end_soon("lifecycle");
}

TEST_F(RecordedPods, restarted_for_its_liveness_is_shown_as_the_kubelet_showed_it) {
  write_manifest("liveness.yaml", recorded("manifests/liveness.yaml"));
  const auto restarted = [](const api::Pod& pod) {
    return ready(pod) && status_of(pod, "c")->restartCount == 1;
  };
  json::value theirs = recorded_pod("liveness-node1");
  // In the recording it had been restarted four times.
  theirs.at("status").at("containerStatuses").at(0).at("restartCount") = 1;
  expect_as_recorded(wait_for("liveness", "restarted", restarted), theirs);
  end_soon("liveness");
}

}  // namespace
}  // namespace berth::integration
