// SPDX-License-Identifier: Apache-2.0

// A shutdown plan as the control API tells it. Pure.
#pragma once

#include "agent/shutdown/configured_shutdown.hpp"
#include "control/control.pb.h"
#include "lifecycle/pod_events.hpp"
#include "systemd/login_manager.hpp"

namespace berth::agent {

namespace wire = control::v1;

// `pods`: those that would be stopped.
void put(const ConfiguredShutdown& configured, const std::vector<lifecycle::PodPtr>& pods,
         const systemd::LoginState& login, wire::PlanShutdownReply& out);

}  // namespace berth::agent
