// SPDX-License-Identifier: Apache-2.0

// Reads files of Kubernetes objects as printed by `kubectl get -o yaml|json`: v1 Lists, several
// documents, with their status.
//
// Pure; the caller reads the files and passes their text. Lenient: ignores unknown fields, and
// kinds that do not matter to a scheduling decision. Every problem is listed, with file, document,
// item and field.
//
// Limits: a file has at most kMostBytes; an object at most api::TreeLimits' values and depth.
#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "api/codec/tree.hpp"
#include "scheduling/explain/stated_cluster.hpp"
#include "scheduling/explain/text_pieces.hpp"

namespace berth::scheduling {

// 5,000 nodes and 50,000 pods as kubectl prints them are some 400 MB.
inline constexpr std::size_t kMostBytes = std::size_t{2} << 30;

struct InputProblem {
  std::string file{};
  std::size_t document = 0;  // 0: the whole file
  api::Problem problem{};
  std::string way_out{};  // how to resolve it; may be empty

  bool operator==(const InputProblem&) const = default;
};

// "nodes.yaml:12:7: document 2: items[3].spec.taints: expected a list, found a string".
[[nodiscard]] std::string to_string(const InputProblem& problem);

// A pod to be placed, as stated in its file, and the tree that it was read from, which has the
// positions of its fields.
struct StatedPod {
  api::Pod pod{};
  api::TreeNode tree{};
  ObjectPlace place{};
  std::string file{};
  std::string field{};  // its path in the containing object: "spec.template" of a Deployment
  bool exists = false;  // an API server, or berthd, has already accepted it
};

// Everything read so far; each further file adds to it.
struct ReadObjects {
  StatedCluster objects{};
  std::vector<StatedPod> stated{};  // from files of pods to be placed
  std::vector<InputProblem> problems{};
  std::map<std::string, std::size_t> passed_over{};  // number of objects of irrelevant kinds, by
                                                     // kind
};

// The role of the pods in a file: on their nodes, or to be placed. The latter are decoded strictly,
// as when kubectl creates them; a Deployment, ReplicaSet, StatefulSet, ReplicationController or Job
// represents the next pod that it would create.
enum class PodsAre : std::uint8_t { kThere, kToBePlaced };

void read_objects(const std::string& file, std::string_view text, PodsAre pods, ReadObjects& into);

}  // namespace berth::scheduling
