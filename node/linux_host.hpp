// SPDX-License-Identifier: Apache-2.0

// The real machine: directories, volumes, cgroups and log links of pods.
//
// Called on the loop thread; the work runs on the blocking pool. Pool and clock must outlive it.
// One call per pod at a time (from its worker), calls for different pods concurrently. Touches
// nothing outside the configured paths except what a hostPath volume names.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "base/blocking_pool.hpp"
#include "base/clock.hpp"
#include "node/host.hpp"
#include "node/node_config.hpp"

namespace berth::node {

class PodCgroups;
class Slices;

class LinuxHost final : public Host {
 public:
  // `slices`: those of the service manager, for the cgroup driver "systemd"; must outlive this.
  // Null if there is no service manager.
  LinuxHost(BlockingPool& pool, Clock& clock, std::shared_ptr<const NodeView> node,
            Slices* slices = nullptr);
  ~LinuxHost() override;

  // Must be called once at start: creates the root and log directories, kubepods and its tiers. An
  // error names the path and what is missing.
  HostCall<Nothing> prepare_node();
  // To be called after prepare_node: sets the limit on all pods together, which the kernel may
  // refuse for now.
  HostCall<Nothing> limit_pods();

  // Uids that have a pod directory or a pod cgroup left by an earlier run. To clean one up, pass
  // cleanup_pod a pod with that uid.
  HostCall<std::vector<std::string>> leftover_pods() override;

  HostCall<PreparedPod> prepare_pod(PodPtr pod) override;
  boost::asio::awaitable<HostDns> read_dns() override;
  void know_pod(PodPtr pod) override;
  HostCall<std::vector<VolumeFailure>> set_up_volumes(PodPtr pod, ObjectsPtr objects) override;
  HostCall<SubPaths> mount_sub_paths(PodPtr pod, std::string container, SubPaths wanted) override;
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
  void update_burstable_shares();
  HostCall<Nothing> remove_cgroup(std::string uid);

  BlockingPool& pool_;
  Clock& clock_;
  std::shared_ptr<const NodeView> node_;
  std::shared_ptr<PodCgroups> cgroups_;     // null if the node has no pod cgroups
  std::map<std::string, PodPtr> active_{};  // by uid: pods that count for the tier's shares
  cri::DnsConfig dns_;                      // as last read
};

}  // namespace berth::node
