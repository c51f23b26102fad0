// SPDX-License-Identifier: Apache-2.0

// Which pod owns a uid that several manifests state.
//
// A uid belongs to one pod: its owner at the last look, else the pod that runs under it, else the
// first one. So neither a new file nor a restart of berthd takes a uid away from a pod. A value
// with memory; pure.
#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <vector>

#include "agent/sources/found_pods.hpp"
#include "api/pod.hpp"

namespace berth::agent {

class UidOwners {
 public:
  // For each of the pods, the index of its uid's owner: its own index, unless the uid is another
  // pod's. `found`: the pods that existed when berthd started.
  [[nodiscard]] std::vector<std::size_t> settle(const std::vector<const api::Pod*>& pods,
                                                const std::vector<FoundPod>& found);

 private:
  [[nodiscard]] bool had(const api::Pod& pod, const std::vector<FoundPod>& found) const;

  std::map<std::string, std::string> names_{};  // by uid: "namespace/name"
};

// "default/web-node1"
[[nodiscard]] std::string full_name(const api::Pod& pod);

// The kubelet's words about a pod that it drops, because one of an earlier file has its name.
[[nodiscard]] std::string duplicate_name_text(const api::Pod& pod);

}  // namespace berth::agent
