// SPDX-License-Identifier: Apache-2.0

// Whether the node admits a pod (node/admission.hpp).
#include <utility>

#include <fmt/format.h>

#include "lifecycle/ledger/admission_question.hpp"
#include "lifecycle/ledger/kind.hpp"
#include "lifecycle/pod_spec.hpp"

namespace berth::node {

BOOST_DESCRIBE_ENUM(CgroupDriver, kCgroupfs, kSystemd)
BOOST_DESCRIBE_STRUCT(NodePaths, (),
                      (root, pod_logs, container_logs, cgroup_mount, host_etc_hosts, resolv_conf))
BOOST_DESCRIBE_STRUCT(HardEviction, (), (quantity, fraction))
BOOST_DESCRIBE_STRUCT(HostConfinement, (), (apparmor, selinux))
BOOST_DESCRIBE_STRUCT(NodeConfig, (),
                      (node_name, paths, cgroup_driver, cgroup_root, cgroups_per_qos, cpu_cfs_quota,
                       cpu_cfs_quota_period, pod_pids_limit, memory_swap_behavior,
                       single_process_oom_kill, cluster_domain, cluster_dns, node_ips, max_pods,
                       pods_per_core, kube_reserved, system_reserved, hard_eviction_memory,
                       hard_eviction_nodefs, enforce_pods_allocatable, node_labels, node_taints,
                       provider_id, kubelet_port, max_images_reported, version, seccomp_default,
                       allowed_unsafe_sysctls, static_pods_are_critical, container_stop_signals))
BOOST_DESCRIBE_STRUCT(Admission, (), (admitted, reason, message, failures))

}  // namespace berth::node

namespace berth::lifecycle {

BOOST_DESCRIBE_STRUCT(AdmissionQuestion, (), (config, host, node, active, pod))

node::Admission decide_admission(const AdmissionQuestion& question) {
  std::vector<const api::Pod*> active;
  active.reserve(question.active.size());
  for (const auto& pod : question.active) active.push_back(&*pod);
  return node::admit_pod(question.config, question.host, question.node, active, question.pod);
}

namespace {

// The part of a pod that counts against the node's capacity.
api::Pod counted_part(const api::Pod& pod) {
  api::Pod out = named_part(pod);
  const auto counted = [](const std::vector<api::Container>& containers) {
    std::vector<api::Container> kept;
    for (const api::Container& container : containers) {
      api::Container& part = kept.emplace_back();
      part.name = container.name;
      part.ports = container.ports;
      part.resources = container.resources;
      part.restartPolicy = container.restartPolicy;
    }
    return kept;
  };
  out.spec.containers = counted(pod.spec.containers);
  out.spec.initContainers = counted(pod.spec.initContainers);
  out.spec.resources = pod.spec.resources;
  out.spec.overhead = pod.spec.overhead;
  return out;
}

AdmissionQuestion part(const AdmissionQuestion& question) {
  AdmissionQuestion part = question;
  api::Node node = question.node;
  node.status.images.clear();
  part.node = std::move(node);
  for (auto& pod : part.active) pod = counted_part(pod);
  return part;
}

// One for each failure; empty if the pod is admitted.
Reasons reasons(const AdmissionQuestion& /*question*/, const node::Admission& admission) {
  Reasons reasons;
  for (const std::string& failure : admission.failures)
    reasons.push_back(Reason{.subject = "pod", .rule = admission.reason, .text = failure});
  return reasons;
}

std::vector<Sentence> describe(const Decoded<AdmissionQuestion, node::Admission>& decoded) {
  const node::Admission& admission = decoded.decision;
  Sentence sentence;
  sentence.at = decoded.record.at;
  sentence.key = "admission|" + admission.reason;
  sentence.occasion = "once";
  sentence.text = admission.admitted ? "the node admits the pod"
                                     : fmt::format("the node refuses the pod: {}: {}",
                                                   admission.reason, admission.message);
  return {std::move(sentence)};
}

}  // namespace

template <>
const KindOf<AdmissionQuestion, node::Admission>& kind_of() {
  static const RecordedKind kKind(
      Kind<AdmissionQuestion, node::Admission>{.name = "admission",
                                               .decide = decide_admission,
                                               .reasons = reasons,
                                               .part = part,
                                               .describe = describe});
  return kKind;
}

}  // namespace berth::lifecycle
