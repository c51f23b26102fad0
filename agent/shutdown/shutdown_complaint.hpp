// SPDX-License-Identifier: Apache-2.0

// What keeps a configured shutdown from working as configured, and what to do about it. Pure.
#pragma once

#include <string>

#include "agent/shutdown/configured_shutdown.hpp"
#include "systemd/login_state.hpp"

namespace berth::agent {

struct ShutdownComplaint {
  std::string problem{};
  std::string advice{};

  [[nodiscard]] bool empty() const { return problem.empty(); }
  // Problem and advice.
  [[nodiscard]] std::string sentence() const { return empty() ? "" : problem + ": " + advice; }
  bool operator==(const ShutdownComplaint&) const = default;
};

// Empty if nothing does, if nothing is configured, or if it is not known yet.
[[nodiscard]] ShutdownComplaint shutdown_complaint(const ConfiguredShutdown& configured,
                                                   const systemd::LoginState& login);

}  // namespace berth::agent
