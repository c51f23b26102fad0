// SPDX-License-Identifier: Apache-2.0

// Converts a shutdown plan to the control API's message. Pure.
#pragma once

#include "agent/shutdown/configured_shutdown.hpp"
#include "control/control.pb.h"
#include "lifecycle/pod_events.hpp"
#include "systemd/login_state.hpp"

namespace berth::agent {

namespace wire = control::v1;

// `pods`: those that would be stopped.
void put(const ConfiguredShutdown& configured, const std::vector<lifecycle::PodPtr>& pods,
         const systemd::LoginState& login, wire::PlanShutdownReply& out);

}  // namespace berth::agent
