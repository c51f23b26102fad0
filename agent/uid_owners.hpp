// Which pod has a uid that several manifests state.
//
// A uid is one pod's: whose it was at the last look, else who runs under it, else who comes first.
// So neither a new file nor a restart of berthd takes a uid from a pod that has it. A value with
// memory; pure.
#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <vector>

#include "agent/found_pods.hpp"
#include "api/pod.hpp"

namespace berth::agent {

class UidOwners {
 public:
  // For each of the pods, the index of the one that has its uid: its own, unless that is another's.
  // `found`: what was there when berthd began.
  [[nodiscard]] std::vector<std::size_t> settle(const std::vector<const api::Pod*>& pods,
                                                const std::vector<FoundPod>& found);

 private:
  [[nodiscard]] bool had(const api::Pod& pod, const std::vector<FoundPod>& found) const;

  std::map<std::string, std::string> names_{};  // by uid: "namespace/name"
};

// "default/web-node1"
[[nodiscard]] std::string full_name(const api::Pod& pod);

}  // namespace berth::agent
