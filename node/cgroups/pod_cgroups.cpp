// SPDX-License-Identifier: Apache-2.0

#include "node/cgroups/pod_cgroups.hpp"

#include "node/path_segment.hpp"

namespace berth::node {
namespace {

constexpr QosClass kTiers[] = {QosClass::kGuaranteed, QosClass::kBurstable, QosClass::kBestEffort};
constexpr std::string_view kPodPrefix = "pod";

std::vector<std::int64_t> page_sizes(const NodeFacts& facts) {
  std::vector<std::int64_t> sizes;
  for (const auto& pages : facts.huge_pages) sizes.push_back(pages.page_size);
  return sizes;
}

}  // namespace

PodCgroups::PodCgroups(const NodeConfig& config, const NodeFacts& facts, Slices* slices)
    : config_(config),
      facts_(facts),
      without_slices_(config.cgroup_driver == CgroupDriver::kSystemd && slices == nullptr),
      tree_(CgroupTree(config.paths.cgroup_mount, facts.cgroup_version, page_sizes(facts)),
            facts.cgroup_version,
            config.cgroup_driver == CgroupDriver::kSystemd ? slices : nullptr) {}

Result<Nothing> PodCgroups::create_tiers() {
  if (without_slices_) {
    return fail(ErrorCode::kUnavailable,
                "cgroupDriver: systemd: systemd is not the service manager of this machine; set "
                "cgroupDriver: cgroupfs, here and in the container runtime");
  }
  const CgroupName root = parse_cgroup_name(config_.cgroup_root);
  for (const auto& directory : tree_.directories(root)) {
    if (is_directory(directory)) continue;
    return fail(ErrorCode::kNotFound, "cgroupRoot " + config_.cgroup_root + ": " + directory +
                                          " does not exist; create it first");
  }
  const CgroupName kubepods = kubepods_cgroup(config_.cgroup_root);
  auto made = tree_.put(kubepods, kubepods_cgroup_values(config_, facts_), false);
  // A limit that the kernel refuses is written again later; pods keep running meanwhile.
  if (!made) made = tree_.put(kubepods, {}, false);
  if (!made) return made;
  for (const QosClass qos : {QosClass::kBurstable, QosClass::kBestEffort}) {
    const CgroupName tier = qos_cgroup(config_.cgroup_root, qos);
    const bool fresh = !tree_.exists(tier);
    auto values = tier_cgroup_values(facts_, qos, {});
    // The tier may hold pods of an earlier run: their shares stay until these pods are known again.
    if (!fresh && qos == QosClass::kBurstable) values.cpu_shares.reset();
    if (made = tree_.put(tier, values, false); !made) return made;
  }
  return Nothing{};
}

Result<Nothing> PodCgroups::limit_pods() const {
  return tree_.set(kubepods_cgroup(config_.cgroup_root), kubepods_cgroup_values(config_, facts_));
}

Result<Nothing> PodCgroups::write_burstable_shares() {
  if (written_shares_.load() == burstable_shares_.load()) return Nothing{};
  const CgroupName tier = qos_cgroup(config_.cgroup_root, QosClass::kBurstable);
  std::int64_t written = 0;
  do {
    written = burstable_shares_.load();
    auto applied = tree_.set(tier, CgroupValues{.cpu_shares = written});
    if (!applied) return applied;
    written_shares_.store(written);
    // Another thread may have set and written a newer value meanwhile; then ours must not remain.
  } while (written != burstable_shares_.load());
  return Nothing{};
}

Result<Nothing> PodCgroups::create_pod(const api::Pod& pod) {
  const CgroupName name = pod_cgroup(config_.cgroup_root, pod);
  if (is_complete(name)) return Nothing{};
  auto made = tree_.put(name, pod_cgroup_values(config_, pod), true);
  if (!made) return made;
  const std::lock_guard lock(completed_mutex_);
  completed_.insert(name);
  return made;
}

// Nothing starts in a pod's cgroup before its limits are written: of those that another berthd
// made, only an empty one may lack them.
bool PodCgroups::is_complete(const CgroupName& pod) {
  if (!tree_.exists(pod)) return false;
  if (tree_.has_children(pod)) return true;
  const std::lock_guard lock(completed_mutex_);
  return completed_.contains(pod);
}

std::vector<CgroupName> PodCgroups::places(const std::string& uid) const {
  std::vector<CgroupName> names;
  for (const QosClass qos : kTiers) {
    names.push_back(qos_cgroup(config_.cgroup_root, qos));
    names.back().push_back(std::string(kPodPrefix) + PathSegment(uid).str());
  }
  return names;
}

std::size_t PodCgroups::kill_pod(const std::string& uid) {
  std::size_t killed = 0;
  for (const auto& name : places(uid)) killed += tree_.kill_all(name);
  return killed;
}

Result<Nothing> PodCgroups::remove_pod(const std::string& uid) {
  Result<Nothing> result = Nothing{};
  for (const auto& name : places(uid)) {
    {
      const std::lock_guard lock(completed_mutex_);
      completed_.erase(name);
    }
    auto removed = tree_.remove(name);
    if (!removed && result) result = std::move(removed);
  }
  return result;
}

std::vector<std::string> PodCgroups::pods() const {
  std::set<std::string> uids;
  for (const QosClass qos : kTiers) {
    for (const auto& name : tree_.children(qos_cgroup(config_.cgroup_root, qos))) {
      if (name.starts_with(kPodPrefix)) uids.insert(name.substr(kPodPrefix.size()));
    }
  }
  return {uids.begin(), uids.end()};
}

}  // namespace berth::node
