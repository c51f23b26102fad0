// SPDX-License-Identifier: Apache-2.0

// What a pod needs from the machine beside its runtime: directories, volumes, the pod's cgroup,
// /etc/hosts, termination messages, log links.
//
// An interface, so that the pod worker can run against a simulated machine; LinuxHost is the real
// one. Everything here is idempotent: an interrupted pass is repeated. Called on the loop thread;
// the work itself runs on the blocking pool. Failures name the path.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include <boost/asio/awaitable.hpp>

#include "api/pod.hpp"
#include "base/result.hpp"
#include "cri/types.hpp"
#include "node/container/container_files.hpp"
#include "node/file_io.hpp"
#include "node/objects.hpp"
#include "node/volumes/volumes.hpp"

namespace berth::node {

template <class T>
using HostCall = boost::asio::awaitable<Result<T>>;

// Shared immutable pods: an edit creates a new one.
using PodPtr = std::shared_ptr<const api::Pod>;

// The pod's directories exist. A missing cgroup is reported separately, because the kubelet has a
// separate event for it.
struct PreparedPod {
  std::string cgroup_problem{};  // why its cgroup could not be created; empty if it was
};

// The host's resolver configuration.
struct HostDns {
  cri::DnsConfig config{};
  std::string problem{};  // why it is one that was read earlier; empty if it is the present one
};

class Host {
 public:
  Host() = default;
  Host(const Host&) = delete;
  Host& operator=(const Host&) = delete;
  virtual ~Host() = default;

  // Creates the pod's data and log directories and its cgroup (below the QoS tier's, created as
  // needed).
  virtual HostCall<PreparedPod> prepare_pod(PodPtr pod) = 0;

  // Called before each sandbox: a machine can move to another network while it runs.
  virtual boost::asio::awaitable<HostDns> read_dns() = 0;

  // A pod that an earlier berthd prepared may be running: it counts for what its QoS tier is given.
  // Called before another pod is prepared or cleaned up.
  virtual void know_pod(PodPtr pod) = 0;

  // Sets up the pod's volumes with the content of `objects` (never null); returns those that
  // failed. Called before the first container, and again when an object that the pod refers to has
  // changed.
  virtual HostCall<std::vector<VolumeFailure>> set_up_volumes(PodPtr pod, ObjectsPtr objects) = 0;

  // Mounts the parts of volumes that a container uses (`wanted`: paths within their volumes);
  // returns their host paths.
  virtual HostCall<SubPaths> mount_sub_paths(PodPtr pod, std::string container,
                                             SubPaths wanted) = 0;

  // Creates the files of one container instance anew: /etc/hosts, the termination message file.
  virtual HostCall<ContainerFiles> prepare_container(PodPtr pod, std::string container,
                                                     std::uint32_t restart_count,
                                                     std::vector<std::string> pod_ips) = 0;

  // The content of the container's termination message file or, depending on its policy, the end of
  // its log; empty if there is neither.
  virtual HostCall<std::string> termination_message(cri::ContainerStatus status,
                                                    std::string log_path) = 0;

  // The highest restart count in the names of a container's log files, for when the runtime no
  // longer has a record of it; -1 if there is none.
  virtual HostCall<std::int32_t> last_logged_attempt(PodPtr pod, std::string container) = 0;

  // /var/log/containers/<pod>_<namespace>_<container>-<id>.log
  virtual HostCall<Nothing> link_container_log(PodPtr pod, std::string container,
                                               cri::ContainerId id, std::string log_path) = 0;
  // Removes a removed container's log files and link.
  virtual HostCall<Nothing> remove_container_log(PodPtr pod, std::string container,
                                                 cri::ContainerId id, std::string log_path) = 0;

  // Cleans up after a pod: kills what is left in its cgroup and removes the cgroup, unmounts and
  // removes volumes and directories; with `remove_logs` also its log directory and links.
  virtual HostCall<Nothing> cleanup_pod(PodPtr pod, bool remove_logs) = 0;

  // Uids with anything left here (a directory, a cgroup). Called once at start, because a pod may
  // have been prepared that the runtime never saw.
  virtual HostCall<std::vector<std::string>> leftover_pods() {
    co_return std::vector<std::string>{};
  }
};

}  // namespace berth::node
