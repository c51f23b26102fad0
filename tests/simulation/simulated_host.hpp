// SPDX-License-Identifier: Apache-2.0

// The machine beside the runtime, in memory: what pods left there, with latencies and faults.
//
// `left_of(uid)` names what is still there of a pod, so that a run can check that nothing stays.
// Emptying a pod's cgroup kills what lives in it, as on a real machine: `kill_all` is called for
// that. Loop thread only.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "base/clock.hpp"
#include "node/host.hpp"
#include "tests/simulation/random.hpp"
#include "tests/simulation/runtime/runtime_faults.hpp"
#include "tests/simulation/runtime/runtime_record.hpp"
#include "tests/simulation/trace.hpp"

namespace berth::simulation {

struct HostSetup {
  Random random{1};
  int fails = 0;  // per mille
  Span latency{};
  Trace* trace = nullptr;
  std::function<void(const std::string& pod_uid)> kill_all{};
};

class SimulatedHost final : public node::Host {
 public:
  SimulatedHost(Clock& clock, HostSetup setup) : clock_(clock), setup_(std::move(setup)) {}
  void take_time(Span latency) { setup_.latency = latency; }

  node::HostCall<node::PreparedPod> prepare_pod(node::PodPtr pod) override;
  boost::asio::awaitable<node::HostDns> read_dns() override { co_return dns_; }
  void know_pod(node::PodPtr pod) override { known_.insert(pod->metadata.uid); }
  node::HostCall<std::vector<node::VolumeFailure>> set_up_volumes(
      node::PodPtr pod, node::ObjectsPtr objects) override;
  node::HostCall<node::SubPaths> mount_sub_paths(node::PodPtr pod, std::string container,
                                                 node::SubPaths wanted) override;
  node::HostCall<node::ContainerFiles> prepare_container(node::PodPtr pod, std::string container,
                                                         std::uint32_t restart_count,
                                                         std::vector<std::string> pod_ips) override;
  node::HostCall<std::string> termination_message(cri::ContainerStatus status,
                                                  std::string log_path) override;
  node::HostCall<std::int32_t> last_logged_attempt(node::PodPtr pod,
                                                   std::string container) override;
  node::HostCall<node::Nothing> link_container_log(node::PodPtr pod, std::string container,
                                                   cri::ContainerId id,
                                                   std::string log_path) override;
  node::HostCall<node::Nothing> remove_container_log(node::PodPtr pod, std::string container,
                                                     cri::ContainerId id,
                                                     std::string log_path) override;
  node::HostCall<node::Nothing> cleanup_pod(node::PodPtr pod, bool remove_logs) override;

  node::HostCall<std::vector<std::string>> leftover_pods() override;

  // Another berthd begins, which knows no pod.
  void berthd_begins() { known_.clear(); }
  // The uids of the pods that count for what their QoS tiers are given.
  [[nodiscard]] const std::set<std::string>& known() const { return known_; }

  void set_dns(node::HostDns dns) { dns_ = std::move(dns); }
  void set_fails(int per_mille) { setup_.fails = per_mille; }
  // Control groups and mounts are gone; files on disk stay.
  void reboot();
  // A container wrote a line into its log.
  void logged(const std::string& pod_uid, const std::string& container, std::uint32_t attempt);

  // Whether the pod's cgroup exists, with its limits.
  [[nodiscard]] bool has_cgroup(const std::string& pod_uid) const {
    const auto pod = pods_.find(pod_uid);
    return pod != pods_.end() && pod->second.cgroup;
  }
  // The pod's remaining directories, cgroup, mounts, links and logs; empty if nothing is left.
  [[nodiscard]] std::string left_of(const std::string& pod_uid) const;
  // The last volumes of a pod that were set up as a whole.
  struct Volumes {
    int set_ups = 0;
    node::ObjectsPtr objects{};  // their contents
  };
  [[nodiscard]] Volumes volumes_of(const std::string& pod_uid) const;
  // The uids of all pods of which anything is left.
  [[nodiscard]] std::set<std::string> pods() const;

 private:
  struct PodTrace {
    bool directories = false;
    bool cgroup = false;
    Volumes volumes{};
    std::set<std::string> mounts{};                         // volumes, and parts of them
    std::set<std::string> links{};                          // by container id
    std::map<std::string, std::set<std::uint32_t>> logs{};  // by container name
    [[nodiscard]] bool nothing() const {
      return !directories && !cgroup && mounts.empty() && links.empty() && logs.empty();
    }
  };

  // Waits for the call's latency; an error if this call is to fail.
  node::HostCall<node::Nothing> work(std::string what);

  Clock& clock_;
  HostSetup setup_;
  std::map<std::string, PodTrace> pods_{};  // by uid
  std::set<std::string> known_{};           // uids
  node::HostDns dns_{.config = {.servers = {"192.168.7.2"}}};
};

// A runtime makes a container's log file when it starts it.
class LogsAtStart final : public Witness {
 public:
  explicit LogsAtStart(SimulatedHost& host) : host_(host) {}
  void started(const Instance& instance) override {
    host_.logged(instance.pod_uid, instance.name, instance.config.metadata.attempt);
  }

 private:
  SimulatedHost& host_;
};

}  // namespace berth::simulation
