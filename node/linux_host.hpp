// The real machine: directories, volumes, cgroups, log links of pods.
//
// Called on the loop thread; the work is done on the blocking pool, which must outlive it.
// Touches nothing outside the configured paths but what a hostPath volume names. Pods' cgroups are
// made below their QoS tier, whose shares follow the active pods.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "base/blocking_pool.hpp"
#include "node/host.hpp"
#include "node/node_config.hpp"

namespace berth::node {

class LinuxHost final : public Host {
 public:
  LinuxHost(BlockingPool& pool, std::shared_ptr<const NodeView> node);

  // Once at start: the root and log directories, kubepods and its tiers. An error names the path
  // and what is missing.
  HostCall<Nothing> prepare_node();

  // Uids that have a pod directory or a pod cgroup: what an earlier run left behind.
  HostCall<std::vector<std::string>> leftover_pods();

  HostCall<Nothing> prepare_pod(PodPtr pod) override;
  HostCall<ContainerFiles> prepare_container(PodPtr pod, std::string container,
                                             std::uint32_t restart_count,
                                             std::vector<std::string> pod_ips) override;
  HostCall<std::string> termination_message(cri::ContainerStatus status,
                                            std::string log_path) override;
  HostCall<std::int32_t> last_logged_attempt(PodPtr pod, std::string container) override;
  HostCall<Nothing> link_container_log(PodPtr pod, std::string container, cri::ContainerId id,
                                       std::string log_path) override;
  HostCall<Nothing> remove_container_log(PodPtr pod, std::string container, cri::ContainerId id,
                                         std::string log_path) override;
  HostCall<Nothing> cleanup_pod(PodPtr pod, bool remove_logs) override;

 private:
  // Runs `work` on the pool; what it throws (std::filesystem) becomes an error.
  template <class T>
  HostCall<T> run(std::string what, std::function<Result<T>()> work);

  std::vector<PodPtr> burstable_pods() const;

  BlockingPool& pool_;
  std::shared_ptr<const NodeView> node_;
  std::map<std::string, PodPtr> active_;  // by uid: pods whose cgroup is in use
};

}  // namespace berth::node
