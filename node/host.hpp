// What a pod asks of the machine beside its runtime: directories, volumes, the pod's cgroup,
// /etc/hosts, termination messages, log links.
//
// An interface, so that the pod worker can be run against a made-up machine; LinuxHost is the
// real one. Everything here is idempotent: a pass that was interrupted does it again. Called on
// the loop thread; the work itself happens on the blocking pool. Failures say which path.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include <boost/asio/awaitable.hpp>

#include "api/pod.hpp"
#include "base/result.hpp"
#include "cri/types.hpp"
#include "node/container_files.hpp"
#include "node/file_io.hpp"
#include "node/objects.hpp"
#include "node/volumes.hpp"

namespace berth::node {

template <class T>
using HostCall = boost::asio::awaitable<Result<T>>;

// Pods are shared, immutable values: an edit makes a new one.
using PodPtr = std::shared_ptr<const api::Pod>;

// How prepare_pod begins its message when the pod's cgroup is what failed: the kubelet has an event
// of its own for that.
inline constexpr std::string_view kNoPodCgroup = "unable to ensure pod container exists: ";

class Host {
 public:
  Host() = default;
  Host(const Host&) = delete;
  Host& operator=(const Host&) = delete;
  virtual ~Host() = default;

  // The pod's data and log directories and its cgroup (below the QoS tier's, created as needed).
  virtual HostCall<Nothing> prepare_pod(PodPtr pod) = 0;

  // The pod's volumes as `objects` (never null) fill them: those that could not be set up. Before
  // the first container, and again when an object that the pod refers to has changed.
  virtual HostCall<std::vector<VolumeFailure>> set_up_volumes(PodPtr pod, ObjectsPtr objects) = 0;

  // The parts of volumes that a container mounts (`wanted`: within their volumes), on the host.
  virtual HostCall<SubPaths> mount_sub_paths(PodPtr pod, std::string container,
                                             SubPaths wanted) = 0;

  // Files of one instance of a container, made anew: /etc/hosts, the termination message file.
  virtual HostCall<ContainerFiles> prepare_container(PodPtr pod, std::string container,
                                                     std::uint32_t restart_count,
                                                     std::vector<std::string> pod_ips) = 0;

  // What the container left in its termination message file or, by its policy, at the end of its
  // log; empty if nothing.
  virtual HostCall<std::string> termination_message(cri::ContainerStatus status,
                                                    std::string log_path) = 0;

  // The highest restart count that a container's log files tell of, where no record of it is left
  // in the runtime; -1: none.
  virtual HostCall<std::int32_t> last_logged_attempt(PodPtr pod, std::string container) = 0;

  // /var/log/containers/<pod>_<namespace>_<container>-<id>.log
  virtual HostCall<Nothing> link_container_log(PodPtr pod, std::string container,
                                               cri::ContainerId id, std::string log_path) = 0;
  // A removed container's log files and link.
  virtual HostCall<Nothing> remove_container_log(PodPtr pod, std::string container,
                                                 cri::ContainerId id, std::string log_path) = 0;

  // The end of a pod: kills what is left in its cgroup and removes it, unmounts and removes
  // volumes and directories; with `remove_logs` its log directory and links as well.
  virtual HostCall<Nothing> cleanup_pod(PodPtr pod, bool remove_logs) = 0;

  // Uids of which anything is left here (a directory, a cgroup): asked once at start, because a
  // pod may have been prepared that the runtime never saw.
  virtual HostCall<std::vector<std::string>> leftover_pods() {
    co_return std::vector<std::string>{};
  }
};

}  // namespace berth::node
