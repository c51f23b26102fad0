// SPDX-License-Identifier: Apache-2.0

// What decisions about pods need to know about this node: its configuration and facts about the
// machine.
//
// Plain values. NodeConfig is read from the configuration files, NodeFacts from the machine (once
// at start, by read_node_facts). NodeView is both, with what follows from them; it is immutable and
// shared by everything that builds requests to the runtime.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "api/affinity.hpp"
#include "api/resources.hpp"
#include "cri/types.hpp"

namespace berth::node {

enum class CgroupDriver : std::uint8_t { kCgroupfs, kSystemd };

// All paths on disk that berth touches; absolute.
struct NodePaths {
  std::string root = "/var/lib/berth";                 // pods/<uid>/…, seccomp/
  std::string pod_logs = "/var/log/pods";              // <ns>_<name>_<uid>/<container>/<n>.log
  std::string container_logs = "/var/log/containers";  // links for log collectors
  std::string cgroup_mount = "/sys/fs/cgroup";
  std::string host_etc_hosts = "/etc/hosts";     // source of the file for host network pods
  std::string resolv_conf = "/etc/resolv.conf";  // empty: no file

  bool operator==(const NodePaths&) const = default;
};

// The reduction of Allocatable by an evictionHard threshold: an amount or a share of the capacity.
struct HardEviction {
  std::optional<api::Quantity> quantity{};
  double fraction = 0;

  bool operator==(const HardEviction&) const = default;
};

struct NodeConfig {
  std::string node_name{};
  NodePaths paths{};

  CgroupDriver cgroup_driver = CgroupDriver::kCgroupfs;
  std::string cgroup_root = "/";  // kubepods is created below it
  bool cgroups_per_qos = true;
  bool cpu_cfs_quota = true;
  std::int64_t cpu_cfs_quota_period = 100'000;    // µs
  std::int64_t pod_pids_limit = -1;               // <= 0: unlimited
  std::string memory_swap_behavior{};             // "", NoSwap, LimitedSwap
  std::optional<bool> single_process_oom_kill{};  // unset: only on cgroup v1

  std::string cluster_domain{};
  std::vector<std::string> cluster_dns{};
  std::vector<std::string> node_ips{};  // configured ones; the first decides the family

  std::int32_t max_pods = 110;
  std::int32_t pods_per_core = 0;
  std::map<std::string, api::Quantity> kube_reserved{};  // cpu, memory, ephemeral-storage, pid
  std::map<std::string, api::Quantity> system_reserved{};
  HardEviction hard_eviction_memory{};   // memory.available
  HardEviction hard_eviction_nodefs{};   // nodefs.available
  bool enforce_pods_allocatable = true;  // "pods" is in enforceNodeAllocatable

  std::map<std::string, std::string> node_labels{};
  std::vector<api::Taint> node_taints{};
  std::string provider_id{};
  std::int32_t kubelet_port = 0;          // the server's, for the node's daemonEndpoints
  std::int32_t max_images_reported = 50;  // nodeStatusMaxImages; -1: all
  std::string version{};                  // berth's, shown as the node's kubeletVersion

  bool seccomp_default = false;
  std::vector<std::string> allowed_unsafe_sysctls{};  // "kernel.msg*" allows a whole family
  bool static_pods_are_critical = false;
  bool container_stop_signals = true;  // ContainerStopSignals; without it lifecycle.stopSignal is
                                       // ignored

  bool operator==(const NodeConfig&) const = default;
};

struct HugePages {
  std::int64_t page_size = 0;  // bytes
  std::int64_t count = 0;

  bool operator==(const HugePages&) const = default;
};

// How the machine can confine containers, beyond what every Linux offers.
struct HostConfinement {
  bool apparmor = false;  // enabled in the kernel
  bool selinux = false;

  bool operator==(const HostConfinement&) const = default;
};

struct NodeFacts {
  std::int64_t cpus = 0;
  std::int64_t memory = 0;  // MemTotal, bytes
  std::int64_t swap = 0;    // SwapTotal, bytes
  std::vector<HugePages> huge_pages{};
  // The size of the file system below the root directory, bytes; 0: unknown, or not a resource of
  // the node.
  std::int64_t ephemeral_storage = 0;
  std::int64_t max_pids = 0;

  int cgroup_version = 2;
  bool swap_controller_available = false;
  HostConfinement confinement{};

  std::string hostname{};
  std::string machine_id{};
  std::string system_uuid{};
  std::string boot_id{};
  std::string kernel_version{};
  std::string os_image{};
  std::string architecture{};                     // as Go spells it: amd64, arm64
  std::vector<std::string> addresses{};           // usable for InternalIP, best first
  std::vector<std::string> extra_masked_paths{};  // thermal throttle files that exist here

  bool operator==(const NodeFacts&) const = default;
};

struct NodeView {
  NodeConfig config{};
  NodeFacts facts{};
  cri::DnsConfig host_dns{};            // parsed from resolv_conf at berthd's start
  api::ResourceList allocatable{};      // as in the node object
  std::vector<std::string> host_ips{};  // addresses as in the node object

  bool operator==(const NodeView&) const = default;
};

}  // namespace berth::node
