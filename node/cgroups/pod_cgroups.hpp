// SPDX-License-Identifier: Apache-2.0

// The cgroups of pods: kubepods, its tiers, one per pod.
//
// Blocking; thread-safe (all state is on disk, except which pods' limits were written, and the
// shares of the burstable tier: the last value set wins, whichever thread writes first).
#pragma once

#include <atomic>
#include <mutex>
#include <set>
#include <string>
#include <vector>

#include "api/pod.hpp"
#include "base/result.hpp"
#include "node/node_config.hpp"
#include "node/slices/cgroup_hierarchy.hpp"

namespace berth::node {

class PodCgroups {
 public:
  // `slices`: for the driver "systemd"; null if there is no service manager. Must outlive this.
  PodCgroups(const NodeConfig& config, const NodeFacts& facts, Slices* slices);

  // Creates kubepods and its tiers; the configured root must exist.
  [[nodiscard]] Result<Nothing> create_tiers();
  // Sets the limit on all pods together. The kernel may refuse a limit that is below their use.
  [[nodiscard]] Result<Nothing> limit_pods() const;

  // Sets the burstable tier's value; write_burstable_shares writes it.
  void set_burstable_shares(std::int64_t shares) { burstable_shares_.store(shares); }
  [[nodiscard]] Result<Nothing> write_burstable_shares();

  // Leaves an existing cgroup as it is, unless its limits may not have been written.
  [[nodiscard]] Result<Nothing> create_pod(const api::Pod& pod);

  // Finds the pod's cgroup by uid, in any tier, and SIGKILLs its processes; returns their number.
  std::size_t kill_pod(const std::string& uid);
  [[nodiscard]] Result<Nothing> remove_pod(const std::string& uid);

  // The uids of all pods that have a cgroup.
  [[nodiscard]] std::vector<std::string> pods() const;

 private:
  [[nodiscard]] std::vector<CgroupName> places(const std::string& uid) const;
  [[nodiscard]] bool is_complete(const CgroupName& pod);

  NodeConfig config_;
  NodeFacts facts_;
  bool without_slices_;  // which the driver needs
  CgroupHierarchy tree_;
  std::atomic<std::int64_t> burstable_shares_{2};
  std::atomic<std::int64_t> written_shares_{0};  // 0: none yet
  std::mutex completed_mutex_{};
  std::set<CgroupName> completed_{};  // pods whose limits this process wrote
};

}  // namespace berth::node
