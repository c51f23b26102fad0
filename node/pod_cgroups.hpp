// The cgroups that hold pods: kubepods, its tiers, one for each pod.
//
// Blocking; safe from several threads (all state is on the disk, but for the shares of the
// burstable tier: the last value set wins whichever thread writes first).
#pragma once

#include <atomic>
#include <string>
#include <vector>

#include "api/pod.hpp"
#include "base/result.hpp"
#include "node/cgroup_tree.hpp"
#include "node/node_config.hpp"

namespace berth::node {

class PodCgroups {
 public:
  PodCgroups(const NodeConfig& config, const NodeFacts& facts);

  // kubepods and its tiers; the configured root must be there.
  [[nodiscard]] Result<Nothing> create_tiers();

  // What the burstable tier is to have from now on; write_burstable_shares writes it.
  void set_burstable_shares(std::int64_t shares) { burstable_shares_.store(shares); }
  [[nodiscard]] Result<Nothing> write_burstable_shares();

  // One that is there is left as it is.
  [[nodiscard]] Result<Nothing> create_pod(const api::Pod& pod);

  // By uid, in whatever tier it is: how many processes were left and got SIGKILL.
  std::size_t kill_pod(const std::string& uid);
  [[nodiscard]] Result<Nothing> remove_pod(const std::string& uid);

  // Uids of all pods that have a cgroup.
  [[nodiscard]] std::vector<std::string> pods() const;

 private:
  [[nodiscard]] std::vector<CgroupName> places(const std::string& uid) const;

  NodeConfig config_;
  NodeFacts facts_;
  CgroupTree tree_;
  std::atomic<std::int64_t> burstable_shares_{2};
  std::atomic<std::int64_t> written_shares_{0};  // 0: none yet
};

}  // namespace berth::node
