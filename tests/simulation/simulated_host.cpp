// SPDX-License-Identifier: Apache-2.0

#include "tests/simulation/simulated_host.hpp"

#include <utility>

#include <fmt/core.h>

#include "node/volumes/volume_payload.hpp"

namespace berth::simulation {
namespace {

// ".../3.log" → 3
std::uint32_t attempt_of(const std::string& log_path) {
  const auto slash = log_path.rfind('/');
  const auto name = slash == std::string::npos ? log_path : log_path.substr(slash + 1);
  std::uint32_t attempt = 0;
  for (const char letter : name) {
    if (letter < '0' || letter > '9') break;
    attempt = attempt * 10 + static_cast<std::uint32_t>(letter - '0');
  }
  return attempt;
}

}  // namespace

node::HostCall<node::Nothing> SimulatedHost::work(std::string what) {
  const auto delay = setup_.random.between(setup_.latency.low, setup_.latency.high);
  const bool fails = setup_.random.chance(setup_.fails);
  if (delay.count() > 0) co_await clock_.sleep_for(delay);
  if (!fails) co_return node::Nothing{};
  if (setup_.trace != nullptr) {
    setup_.trace->line(clock_.steady_now(), "host", what + " fails: input/output error");
  }
  co_return fail(ErrorCode::kUnknown, what + ": input/output error");
}

node::HostCall<node::PreparedPod> SimulatedHost::prepare_pod(node::PodPtr pod) {
  know_pod(pod);
  pods_[pod->metadata.uid].directories = true;  // a failure, or a crash, may leave half of it
  const auto done = co_await work("making the directories of " + pod->metadata.name);
  if (!done) co_return fail(done.error());
  pods_[pod->metadata.uid].cgroup = true;
  co_return node::PreparedPod{};
}

// Some of the volumes may have been made when another one fails.
node::HostCall<std::vector<node::VolumeFailure>> SimulatedHost::set_up_volumes(
    node::PodPtr pod, node::ObjectsPtr objects) {
  std::vector<node::VolumeFailure> failures;
  for (const auto& volume : pod->spec.volumes) {
    auto done = co_await work("setting up volume " + volume.name);
    if (done && node::has_payload(volume)) {
      const auto payload = node::volume_payload(*pod, volume, *objects, {});
      if (!payload) done = fail(payload.error());
    }
    pods_[pod->metadata.uid].mounts.insert(volume.name);
    if (done) continue;
    failures.push_back({.volume = volume.name,
                        .message = fmt::format("MountVolume.SetUp failed for volume \"{}\" : {}",
                                               volume.name, done.error().message)});
  }
  if (failures.empty()) {
    auto& volumes = pods_[pod->metadata.uid].volumes;
    volumes.set_ups += 1;
    volumes.objects = std::move(objects);
  }
  co_return failures;
}

node::HostCall<node::SubPaths> SimulatedHost::mount_sub_paths(node::PodPtr pod,
                                                              std::string container,
                                                              node::SubPaths wanted) {
  auto done = co_await work("mounting parts of volumes for " + container);
  node::SubPaths mounted;
  for (const auto& [index, path] : wanted) {
    const auto name = fmt::format("{}/{}", container, index);
    pods_[pod->metadata.uid].mounts.insert(name);
    mounted[index] =
        fmt::format("/var/lib/berth/pods/{}/volume-subpaths/{}", pod->metadata.uid, name);
  }
  if (!done) co_return fail(done.error());
  co_return mounted;
}

node::HostCall<node::ContainerFiles> SimulatedHost::prepare_container(
    node::PodPtr pod, std::string container, std::uint32_t /*restart_count*/,
    std::vector<std::string> /*pod_ips*/) {
  const auto base =
      fmt::format("/var/lib/berth/pods/{}/containers/{}", pod->metadata.uid, container);
  auto done = co_await work("making the files of " + container);
  if (!done) co_return fail(done.error());
  co_return node::ContainerFiles{
      .etc_hosts = fmt::format("/var/lib/berth/pods/{}/etc-hosts", pod->metadata.uid),
      .termination_log = base + "/0000abcd",
      .log_directory = fmt::format("/var/log/pods/{}_{}_{}/{}", pod->metadata.namespace_,
                                   pod->metadata.name, pod->metadata.uid, container)};
}

node::HostCall<std::string> SimulatedHost::termination_message(cri::ContainerStatus status,
                                                               std::string /*log_path*/) {
  auto done = co_await work("reading the termination message of " + status.metadata.name);
  if (!done) co_return fail(done.error());
  co_return std::string();
}

node::HostCall<std::int32_t> SimulatedHost::last_logged_attempt(node::PodPtr pod,
                                                                std::string container) {
  auto done = co_await work("looking for logs of " + container);
  if (!done) co_return fail(done.error());
  const auto trace = pods_.find(pod->metadata.uid);
  if (trace == pods_.end()) co_return -1;
  const auto logs = trace->second.logs.find(container);
  if (logs == trace->second.logs.end() || logs->second.empty()) co_return -1;
  co_return static_cast<std::int32_t>(*logs->second.rbegin());
}

node::HostCall<node::Nothing> SimulatedHost::link_container_log(node::PodPtr pod,
                                                                std::string container,
                                                                cri::ContainerId id,
                                                                std::string /*log_path*/) {
  auto done = co_await work("linking the log of " + container);
  if (done) pods_[pod->metadata.uid].links.insert(id.str());
  co_return done;
}

node::HostCall<node::Nothing> SimulatedHost::remove_container_log(node::PodPtr pod,
                                                                  std::string container,
                                                                  cri::ContainerId id,
                                                                  std::string log_path) {
  auto done = co_await work("removing the log of " + container);
  const auto trace = pods_.find(pod->metadata.uid);
  if (!done || trace == pods_.end()) co_return done;
  trace->second.links.erase(id.str());
  const auto logs = trace->second.logs.find(container);
  if (logs != trace->second.logs.end()) {
    logs->second.erase(attempt_of(log_path));
    if (logs->second.empty()) trace->second.logs.erase(logs);
  }
  co_return done;
}

node::HostCall<node::Nothing> SimulatedHost::cleanup_pod(node::PodPtr pod, bool remove_logs) {
  known_.erase(pod->metadata.uid);
  const auto uid = pod->metadata.uid;
  if (setup_.kill_all) setup_.kill_all(uid);
  auto done = co_await work("cleaning up after " + pod->metadata.name);
  const auto trace = pods_.find(uid);
  if (!done || trace == pods_.end()) co_return done;
  trace->second.directories = false;
  trace->second.cgroup = false;
  trace->second.mounts.clear();
  if (remove_logs) {
    trace->second.links.clear();
    trace->second.logs.clear();
  }
  if (trace->second.nothing()) pods_.erase(trace);
  co_return done;
}

node::HostCall<std::vector<std::string>> SimulatedHost::leftover_pods() {
  auto done = co_await work("looking for what is left of pods");
  if (!done) co_return fail(done.error());
  std::vector<std::string> uids;
  for (const auto& [uid, trace] : pods_) uids.push_back(uid);
  co_return uids;
}

void SimulatedHost::logged(const std::string& pod_uid, const std::string& container,
                           std::uint32_t attempt) {
  pods_[pod_uid].logs[container].insert(attempt);
}

void SimulatedHost::reboot() {
  for (auto& [uid, trace] : pods_) {
    trace.cgroup = false;
    trace.mounts.clear();
    trace.volumes = {};
  }
  std::erase_if(pods_, [](const auto& entry) { return entry.second.nothing(); });
}

std::string SimulatedHost::left_of(const std::string& pod_uid) const {
  const auto found = pods_.find(pod_uid);
  if (found == pods_.end()) return {};
  std::string left;
  if (found->second.directories) left += " directories";
  if (found->second.cgroup) left += " cgroup";
  if (!found->second.mounts.empty()) left += fmt::format(" {} mounts", found->second.mounts.size());
  if (!found->second.links.empty())
    left += fmt::format(" {} log links", found->second.links.size());
  if (!found->second.logs.empty()) left += " logs";
  return left;
}

SimulatedHost::Volumes SimulatedHost::volumes_of(const std::string& pod_uid) const {
  const auto found = pods_.find(pod_uid);
  return found == pods_.end() ? Volumes{} : found->second.volumes;
}

std::set<std::string> SimulatedHost::pods() const {
  std::set<std::string> uids;
  for (const auto& [uid, trace] : pods_) uids.insert(uid);
  return uids;
}

}  // namespace berth::simulation
