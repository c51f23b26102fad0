// SPDX-License-Identifier: Apache-2.0

#include "node/linux_host.hpp"

#include <algorithm>
#include <chrono>

#include "api/pod_uid.hpp"
#include "node/cgroups/cgroup_values.hpp"
#include "node/cgroups/pod_cgroups.hpp"
#include "node/container/find_container.hpp"
#include "node/pod_files.hpp"
#include "node/pod_paths.hpp"
#include "node/read_node_facts.hpp"
#include "node/volumes/sub_paths.hpp"
#include "node/volumes/volumes.hpp"

namespace berth::node {
namespace {

using Done = Result<Nothing>;

// A killed process leaves its cgroup only after the kernel has torn it down; five passes, like the
// kubelet, with growing waits between them.
constexpr std::chrono::milliseconds kKillWaits[] = {
    std::chrono::milliseconds(2), std::chrono::milliseconds(10), std::chrono::milliseconds(50),
    std::chrono::milliseconds(200), std::chrono::milliseconds(1000)};

std::string described(const api::Pod& pod) {
  return pod.metadata.namespace_ + "/" + pod.metadata.name;
}

Result<PreparedPod> prepare_pod_now(const NodeView& node, PodCgroups* cgroups,
                                    const api::Pod& pod) {
  if (const auto valid = check_pod_names(pod); !valid) return fail(valid.error());
  if (auto made = make_pod_directories(node.config.paths, pod); !made) {
    return fail(wrap("error making pod data directories", made.error()));
  }
  PreparedPod prepared;
  if (cgroups != nullptr) {
    auto made = cgroups->write_burstable_shares();
    if (made) made = cgroups->create_pod(pod);
    if (!made)
      prepared.cgroup_problem = "unable to ensure pod container exists: " + made.error().message;
  }
  return prepared;
}

Done remove_pod_files(const NodePaths& paths, const std::string& uid, bool remove_logs) {
  if (auto removed = remove_pod_directory(paths, uid); !removed) return removed;
  return remove_logs ? remove_pod_logs(paths, uid) : Done(Nothing{});
}

// Whether work on the pod's volumes may reach a file system that is not berthd's: a path of the
// node, or what a container mounted. It may, if only the pod's uid is known.
BlockingPool::Files files_of(const api::Pod& pod) {
  const auto is_foreign = [](const api::Volume& volume) { return volume.hostPath.has_value(); };
  const auto mounts_back = [](const api::VolumeMount& mount) {
    return mount.mountPropagation.value_or("None") == "Bidirectional";
  };
  bool foreign = pod.spec.containers.empty() || std::ranges::any_of(pod.spec.volumes, is_foreign);
  for (const auto* list : {&pod.spec.initContainers, &pod.spec.containers}) {
    for (const auto& container : *list) {
      foreign |= std::ranges::any_of(container.volumeMounts, mounts_back);
    }
  }
  return foreign ? BlockingPool::Files::kForeign : BlockingPool::Files::kOwn;
}

std::vector<std::string> merged(std::vector<std::string> left,
                                const std::vector<std::string>& right) {
  left.insert(left.end(), right.begin(), right.end());
  std::sort(left.begin(), left.end());
  left.erase(std::unique(left.begin(), left.end()), left.end());
  return left;
}

}  // namespace

LinuxHost::LinuxHost(BlockingPool& pool, Clock& clock, std::shared_ptr<const NodeView> node,
                     Slices* slices)
    : pool_(pool), clock_(clock), node_(std::move(node)), dns_(node_->host_dns) {
  if (node_->config.cgroups_per_qos) {
    cgroups_ = std::make_shared<PodCgroups>(node_->config, node_->facts, slices);
  }
}

LinuxHost::~LinuxHost() = default;

HostCall<Nothing> LinuxHost::prepare_node() {
  std::function<Done()> work = [node = node_, cgroups = cgroups_]() -> Done {
    if (auto made = make_node_directories(node->config.paths); !made) return made;
    return cgroups ? cgroups->create_tiers() : Done(Nothing{});
  };
  auto done = co_await pool_.run("preparing the node", std::move(work));
  co_return done;
}

HostCall<Nothing> LinuxHost::limit_pods() {
  std::function<Done()> work = [cgroups = cgroups_]() -> Done {
    return cgroups ? cgroups->limit_pods() : Done(Nothing{});
  };
  auto done = co_await pool_.run("limiting all pods", std::move(work));
  co_return done;
}

HostCall<std::vector<std::string>> LinuxHost::leftover_pods() {
  using Uids = Result<std::vector<std::string>>;
  std::function<Uids()> work = [node = node_, cgroups = cgroups_]() -> Uids {
    auto uids = list_directory(pods_directory(node->config.paths));
    if (!uids) return uids;
    if (cgroups) *uids = merged(std::move(*uids), cgroups->pods());
    std::erase_if(*uids, [](const std::string& uid) { return !api::is_pod_uid(uid); });
    return uids;
  };
  auto uids = co_await pool_.run("looking for pods on disk", std::move(work));
  co_return uids;
}

void LinuxHost::update_burstable_shares() {
  if (!cgroups_) return;
  std::vector<const api::Pod*> pods;
  for (const auto& [uid, pod] : active_) pods.push_back(pod.get());
  const auto values = tier_cgroup_values(node_->facts, QosClass::kBurstable, pods);
  cgroups_->set_burstable_shares(values.cpu_shares.value_or(0));
}

void LinuxHost::know_pod(PodPtr pod) {
  const std::string uid = pod->metadata.uid;
  active_.insert_or_assign(uid, std::move(pod));
}

HostCall<PreparedPod> LinuxHost::prepare_pod(PodPtr pod) {
  know_pod(pod);
  update_burstable_shares();
  std::function<Result<PreparedPod>()> work = [node = node_, cgroups = cgroups_, pod] {
    return prepare_pod_now(*node, cgroups.get(), *pod);
  };
  auto done = co_await pool_.run("preparing pod " + described(*pod), std::move(work));
  co_return done;
}

boost::asio::awaitable<HostDns> LinuxHost::read_dns() {
  if (node_->config.paths.resolv_conf.empty()) co_return HostDns{};
  std::function<Result<cri::DnsConfig>()> work = [node = node_] {
    return read_host_dns(node->config.paths);
  };
  auto read = co_await pool_.run("reading resolvConf", std::move(work));
  if (!read) co_return HostDns{.config = dns_, .problem = read.error().message};
  dns_ = std::move(*read);
  co_return HostDns{.config = dns_};
}

HostCall<std::vector<VolumeFailure>> LinuxHost::set_up_volumes(PodPtr pod, ObjectsPtr objects) {
  using Failures = Result<std::vector<VolumeFailure>>;
  std::function<Failures()> work = [node = node_, pod, objects,
                                    now = clock_.wall_now()]() -> Failures {
    if (auto valid = check_pod_names(*pod); !valid) return fail(valid.error());
    return node::set_up_volumes(*node, *pod, *objects, now);
  };
  auto failures = co_await pool_.run("setting up volumes of pod " + described(*pod),
                                     std::move(work), files_of(*pod));
  co_return failures;
}

HostCall<SubPaths> LinuxHost::mount_sub_paths(PodPtr pod, std::string container, SubPaths wanted) {
  std::function<Result<SubPaths>()> work = [node = node_, pod, container,
                                            wanted]() -> Result<SubPaths> {
    const auto* spec = find_container(*pod, container);
    if (spec == nullptr) return fail(ErrorCode::kInvalid, "no container \"" + container + "\"");
    return node::mount_sub_paths(node->config.paths, *pod, *spec, wanted);
  };
  auto mounted = co_await pool_.run("mounting sub paths of pod " + described(*pod), std::move(work),
                                    files_of(*pod));
  co_return mounted;
}

HostCall<ContainerFiles> LinuxHost::prepare_container(PodPtr pod, std::string container,
                                                      std::uint32_t restart_count,
                                                      std::vector<std::string> pod_ips) {
  std::function<Result<ContainerFiles>()> work = [node = node_, pod, container, restart_count,
                                                  pod_ips] {
    return make_container_files(node->config, *pod, container, restart_count, pod_ips);
  };
  auto files = co_await pool_.run("writing files of pod " + described(*pod), std::move(work));
  co_return files;
}

HostCall<std::string> LinuxHost::termination_message(cri::ContainerStatus status,
                                                     std::string log_path) {
  std::function<Result<std::string>()> work = [node = node_, status, log_path] {
    return read_termination_message(node->config.paths, status, log_path);
  };
  auto message = co_await pool_.run("reading a termination message", std::move(work));
  co_return message;
}

HostCall<std::int32_t> LinuxHost::last_logged_attempt(PodPtr pod, std::string container) {
  std::function<Result<std::int32_t>()> work = [node = node_, pod, container] {
    return read_last_logged_attempt(node->config.paths, *pod, container);
  };
  auto attempt = co_await pool_.run("looking for logs of pod " + described(*pod), std::move(work));
  co_return attempt;
}

HostCall<Nothing> LinuxHost::link_container_log(PodPtr pod, std::string container,
                                                cri::ContainerId id, std::string log_path) {
  std::function<Done()> work = [node = node_, pod, container, id, log_path] {
    return make_log_link(node->config.paths, *pod, container, id, log_path);
  };
  auto done = co_await pool_.run("linking a log of pod " + described(*pod), std::move(work));
  co_return done;
}

HostCall<Nothing> LinuxHost::remove_container_log(PodPtr pod, std::string container,
                                                  cri::ContainerId id, std::string log_path) {
  std::function<Done()> work = [node = node_, pod, container, id, log_path] {
    return remove_container_logs(node->config.paths, *pod, container, id, log_path);
  };
  auto done = co_await pool_.run("removing a log of pod " + described(*pod), std::move(work));
  co_return done;
}

HostCall<Nothing> LinuxHost::remove_cgroup(std::string uid) {
  Done done = Nothing{};
  for (const auto wait : kKillWaits) {
    std::function<Done()> work = [cgroups = cgroups_, uid] {
      cgroups->kill_pod(uid);
      return cgroups->remove_pod(uid);
    };
    done = co_await pool_.run("removing the cgroup of pod " + uid, std::move(work));
    if (done) break;
    co_await clock_.sleep_for(wait);
  }
  co_return done;
}

HostCall<Nothing> LinuxHost::cleanup_pod(PodPtr pod, bool remove_logs) {
  const std::string uid = pod->metadata.uid;
  if (!api::is_pod_uid(uid)) {
    co_return fail(ErrorCode::kInvalid, "\"" + uid + "\" is no pod uid");
  }
  active_.erase(uid);
  update_burstable_shares();
  if (cgroups_) {
    auto removed = co_await remove_cgroup(uid);
    if (!removed) {
      co_return fail(wrap("pod " + described(*pod) + ": removing its cgroup", removed.error()));
    }
  }
  std::function<Done()> work = [node = node_, cgroups = cgroups_, uid, remove_logs]() -> Done {
    if (cgroups) {
      if (auto written = cgroups->write_burstable_shares(); !written) return written;
    }
    return remove_pod_files(node->config.paths, uid, remove_logs);
  };
  auto done =
      co_await pool_.run("cleaning up pod " + described(*pod), std::move(work), files_of(*pod));
  if (!done) co_return fail(wrap("pod " + described(*pod) + ": cleaning up", done.error()));
  co_return done;
}

}  // namespace berth::node
