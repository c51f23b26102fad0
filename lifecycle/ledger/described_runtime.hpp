// SPDX-License-Identifier: Apache-2.0

// The members of the runtime's view of a pod, for the kinds of records that hold it. Included by
// sources only.
#pragma once

#include <boost/describe.hpp>

#include "cri/types.hpp"
#include "lifecycle/runtime_pod.hpp"

namespace berth::cri {

BOOST_DESCRIBE_ENUM(NamespaceMode, kPod, kContainer, kNode, kTarget)
BOOST_DESCRIBE_ENUM(SandboxState, kReady, kNotReady)
BOOST_DESCRIBE_ENUM(ContainerState, kCreated, kRunning, kExited, kUnknown)
BOOST_DESCRIBE_STRUCT(LinuxUser, (), (uid, gid, supplemental_groups))

}  // namespace berth::cri

namespace berth::lifecycle {

BOOST_DESCRIBE_STRUCT(RuntimeSandbox, (),
                      (id, attempt, state, network, has_network, ip, created_at))
BOOST_DESCRIBE_STRUCT(RuntimeResources, (), (cpu_request, cpu_limit, memory_request, memory_limit))
BOOST_DESCRIBE_ENUM(StartAgain, kByPolicy, kDecided, kStopped)
BOOST_DESCRIBE_STRUCT(RuntimeContainer, (),
                      (id, name, sandbox, state, exit_code, reason, message, restart_count,
                       created_at, started_at, finished_at, image, image_ref, log_path,
                       spec_changed, resources, user, stop_signal, start_again))
BOOST_DESCRIBE_STRUCT(RuntimePod, (), (sandboxes, containers, ips))

}  // namespace berth::lifecycle
