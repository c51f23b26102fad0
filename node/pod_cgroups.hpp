// SPDX-License-Identifier: Apache-2.0

// The cgroups of pods: kubepods, its tiers, one per pod.
//
// Blocking; thread-safe (all state is on the disk, except the shares of the burstable tier: the
// last value set wins, whichever thread writes first).
#pragma once

#include <atomic>
#include <string>
#include <vector>

#include "api/pod.hpp"
#include "base/result.hpp"
#include "node/node_config.hpp"
#include "node/slices/cgroup_hierarchy.hpp"

namespace berth::node {

class PodCgroups {
 public:
  // `slices`: for the driver "systemd"; null: there is no service manager to ask. Outlives this.
  PodCgroups(const NodeConfig& config, const NodeFacts& facts, Slices* slices);

  // Creates kubepods and its tiers; the configured root must exist.
  [[nodiscard]] Result<Nothing> create_tiers();
  // The limit of all pods together. The kernel may refuse one that is below what they use.
  [[nodiscard]] Result<Nothing> limit_pods() const;

  // Sets the burstable tier's value; write_burstable_shares writes it.
  void set_burstable_shares(std::int64_t shares) { burstable_shares_.store(shares); }
  [[nodiscard]] Result<Nothing> write_burstable_shares();

  // Leaves an existing one as it is.
  [[nodiscard]] Result<Nothing> create_pod(const api::Pod& pod);

  // By uid, in any tier: SIGKILLs what is left; returns the number of processes.
  std::size_t kill_pod(const std::string& uid);
  [[nodiscard]] Result<Nothing> remove_pod(const std::string& uid);

  // Uids of all pods that have a cgroup.
  [[nodiscard]] std::vector<std::string> pods() const;

 private:
  [[nodiscard]] std::vector<CgroupName> places(const std::string& uid) const;

  NodeConfig config_;
  NodeFacts facts_;
  bool without_slices_;  // which the driver needs
  CgroupHierarchy tree_;
  std::atomic<std::int64_t> burstable_shares_{2};
  std::atomic<std::int64_t> written_shares_{0};  // 0: none yet
};

}  // namespace berth::node
