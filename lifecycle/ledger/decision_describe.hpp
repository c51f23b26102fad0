// The members of what decision records hold, for strict_json.hpp. Included only by the sources
// that write and read records.
#pragma once

#include <boost/describe.hpp>

#include "lifecycle/ledger/decision_inputs.hpp"

namespace berth::cri {

BOOST_DESCRIBE_ENUM(NamespaceMode, kPod, kContainer, kNode, kTarget)
BOOST_DESCRIBE_ENUM(SandboxState, kReady, kNotReady)
BOOST_DESCRIBE_ENUM(ContainerState, kCreated, kRunning, kExited, kUnknown)
BOOST_DESCRIBE_STRUCT(LinuxUser, (), (uid, gid, supplemental_groups))

}  // namespace berth::cri

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
                       allowed_unsafe_sysctls, static_pods_are_critical))
BOOST_DESCRIBE_STRUCT(Admission, (), (admitted, reason, message, failures))

}  // namespace berth::node

namespace berth::lifecycle {

BOOST_DESCRIBE_ENUM(ProbeResult, kUnknown, kSuccess, kFailure)
BOOST_DESCRIBE_ENUM(KillReason, kNone, kUnknown, kStartupProbe, kLivenessProbe,
                    kFailedPostStartHook)

BOOST_DESCRIBE_STRUCT(Reason, (), (subject, rule, text))
BOOST_DESCRIBE_STRUCT(RuntimeSandbox, (),
                      (id, attempt, state, network, has_network, ip, created_at))
BOOST_DESCRIBE_STRUCT(RuntimeResources, (), (cpu_request, cpu_limit, memory_request, memory_limit))
BOOST_DESCRIBE_ENUM(StartAgain, kByPolicy, kDecided, kStopped)
BOOST_DESCRIBE_STRUCT(RuntimeContainer, (),
                      (id, name, sandbox, state, exit_code, reason, message, restart_count,
                       created_at, started_at, finished_at, image, image_ref, log_path,
                       spec_changed, resources, user, stop_signal, start_again))
BOOST_DESCRIBE_STRUCT(RuntimePod, (), (sandboxes, containers, ips))
BOOST_DESCRIBE_STRUCT(ProbeResults, (), (liveness, readiness, startup))
BOOST_DESCRIBE_STRUCT(RestartBackoff::Entry, (), (window, last_start))
BOOST_DESCRIBE_STRUCT(RestartBackoff, (), (entries))
BOOST_DESCRIBE_STRUCT(ImagePullBackoff::Entry, (), (window, last_failure, reason, message))
BOOST_DESCRIBE_STRUCT(ImagePullBackoff, (), (entries))
BOOST_DESCRIBE_STRUCT(RestartBackoffPolicy, (), (initial, max, reset_after))
BOOST_DESCRIBE_STRUCT(ImagePullBackoffPolicy, (), (initial, max, forget_after))
BOOST_DESCRIBE_STRUCT(FeatureOptions, (),
                      (container_restart_rules, container_stop_signals, static_pod_rules))

BOOST_DESCRIBE_STRUCT(ContainerKill, (), (id, name, reason, message))
BOOST_DESCRIBE_STRUCT(ResourceAmounts, (),
                      (cpu_request_milli, cpu_limit_milli, memory_request_bytes,
                       memory_limit_bytes))
BOOST_DESCRIBE_STRUCT(ContainerUpdate, (), (name, id, desired, current))
BOOST_DESCRIBE_STRUCT(PodActions, (),
                      (kill_pod, create_sandbox, attempt, sandbox_id, init_containers_to_start,
                       containers_to_start, ephemeral_containers_to_start, containers_to_kill,
                       containers_to_update_cpu, containers_to_update_memory, update_pod_resources,
                       reasons))
BOOST_DESCRIBE_STRUCT(StartRefusal, (), (container, reason, message, event_message, until))
BOOST_DESCRIBE_STRUCT(Plan, (), (deadline_exceeded, actions, refusals, look_again_at))

BOOST_DESCRIBE_STRUCT(StoppingContainer, (),
                      (name, grace_seconds, begun_at, hook_done_at, signalled))
BOOST_DESCRIBE_STRUCT(StopNow, (), (name, timeout_seconds))
BOOST_DESCRIBE_STRUCT(TerminationStep, (), (stop_now, give_up_hook, look_again_at, reasons))

BOOST_DESCRIBE_STRUCT(PlanValues, (),
                      (pod, runtime, probes, actuated, restarts, pulls, present_images, start_time,
                       now, restart_policy, pull_policy, options))
BOOST_DESCRIBE_STRUCT(StopsValues, (), (pod, containers, now))
BOOST_DESCRIBE_STRUCT(AdmissionValues, (), (config, host, node, active, pod))

BOOST_DESCRIBE_STRUCT(PhaseValues, (),
                      (pod, statuses, starting_again, pod_is_terminal, pod_has_initialized, options,
                       previous, known, deadline_exceeded, finalised, shown_before,
                       containers_may_run))
BOOST_DESCRIBE_STRUCT(PhaseDecision, (), (phase, shown, settled))
BOOST_DESCRIBE_ENUM(EndCause, kCollected, kManifestRemoved, kDeleted, kUnknownPod, kActiveDeadline,
                    kEvicted, kPreempted, kNodeShutdown)
BOOST_DESCRIBE_STRUCT(GraceValues, (),
                      (pod, previous, override_seconds, cause, forced, requested_at))
BOOST_DESCRIBE_STRUCT(GraceDecision, (), (seconds, shortened, ends_at))

BOOST_DESCRIBE_ENUM(PullDecision, kUsePresent, kPull, kRefuse)
BOOST_DESCRIBE_STRUCT(ImageValues, (), (pod, container, image, policy, present))
BOOST_DESCRIBE_STRUCT(ImageDecision, (), (pull))

BOOST_DESCRIBE_STRUCT(PreStop, (), (done_at))
BOOST_DESCRIBE_STRUCT(PreStopSituation, (),
                      (has_hook, leaves_time, container_runs, begun_before, known, stop_began))
BOOST_DESCRIBE_STRUCT(PreStopValues, (), (pod, container, situation, now))
BOOST_DESCRIBE_STRUCT(PreStopStep, (), (begin, done_at, settle))

BOOST_DESCRIBE_STRUCT(DeletionSituation, (), (requested, own, placed, phase, in_force))
BOOST_DESCRIBE_STRUCT(DeletionValues, (), (pod, situation))
BOOST_DESCRIBE_STRUCT(DeletionPeriod, (), (seconds, takes_effect))

BOOST_DESCRIBE_STRUCT(CollectionValues, (), (pod, finished, before, threshold))
BOOST_DESCRIBE_STRUCT(CollectionDecision, (), (collect))

BOOST_DESCRIBE_STRUCT(LossValues, (), (pod, had_containers, judged, ending))
BOOST_DESCRIBE_STRUCT(LossDecision, (), (failed))

}  // namespace berth::lifecycle
