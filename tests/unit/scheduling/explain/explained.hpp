// SPDX-License-Identifier: Apache-2.0

// Explains decisions from texts, as berthctl does from files.
#pragma once

#include <string>
#include <string_view>

#include <gtest/gtest.h>

#include "scheduling/explain/explain_placement.hpp"
#include "scheduling/explain/pod_question.hpp"

namespace berth::scheduling {

inline ReadObjects read(std::string_view pod, std::string_view cluster) {
  ReadObjects objects;
  read_objects("pod.yaml", pod, PodsAre::kToBePlaced, objects);
  read_objects("cluster.yaml", cluster, PodsAre::kThere, objects);
  for (const auto& problem : objects.problems) ADD_FAILURE() << to_string(problem);
  return objects;
}

inline PlacementExplanation explained(std::string_view pod, std::string_view cluster,
                                      const Profile& profile = {}) {
  const ReadObjects objects = read(pod, cluster);
  const auto question = ask_about(objects, {.file = "pod.yaml", .namespace_ = "default"});
  if (!question) {
    for (const auto& problem : question.error()) ADD_FAILURE() << to_string(problem);
    return {};
  }
  return explain_placement(question->pod, objects.objects, profile);
}

inline const NodeVerdict& verdict_on(const PlacementExplanation& explanation,
                                     std::string_view node) {
  static const NodeVerdict kNone;
  for (const NodeVerdict& verdict : explanation.nodes) {
    if (verdict.node == node) return verdict;
  }
  ADD_FAILURE() << "no node is called " << node;
  return kNone;
}

// The nodes that can take the pod, in the order in which they are considered: "n1 n2".
inline std::string fitting(const PlacementExplanation& explanation) {
  std::string names;
  for (const NodeVerdict& verdict : explanation.nodes) {
    if (verdict.fits()) names += (names.empty() ? "" : " ") + verdict.node;
  }
  return names;
}

inline std::string node_yaml(const std::string& name, const std::string& labels,
                             const std::string& cpu = "4") {
  return "---\napiVersion: v1\nkind: Node\nmetadata:\n  name: " + name +
         "\n  labels: {kubernetes.io/hostname: " + name + (labels.empty() ? "" : ", ") + labels +
         "}\nstatus: {allocatable: {cpu: \"" + cpu + "\", memory: 8Gi, pods: \"110\"}}\n";
}

inline std::string pod_yaml(const std::string& name, const std::string& node,
                            const std::string& labels, const std::string& cpu = "100m",
                            int priority = 0) {
  return "---\napiVersion: v1\nkind: Pod\nmetadata:\n  name: " + name +
         "\n  namespace: default\n  labels: {" + labels + "}\nspec:\n  nodeName: " + node +
         "\n  priority: " + std::to_string(priority) +
         "\n  containers: [{name: c, image: i, resources: {requests: {cpu: " + cpu + "}}}]\n";
}

}  // namespace berth::scheduling
