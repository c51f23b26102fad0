// SPDX-License-Identifier: Apache-2.0

// What keeps a configured shutdown from being what it should, as a sentence with what to do. Pure.
#pragma once

#include <string>

#include "agent/shutdown/configured_shutdown.hpp"
#include "systemd/login_manager.hpp"

namespace berth::agent {

// Empty: nothing does, or nothing is configured, or it is not known yet.
[[nodiscard]] std::string shutdown_complaint(const ConfiguredShutdown& configured,
                                             const systemd::LoginState& login);

}  // namespace berth::agent
