// SPDX-License-Identifier: Apache-2.0

// What keeps a configured shutdown from being what it should, and what to do about it. Pure.
#pragma once

#include <string>

#include "agent/shutdown/configured_shutdown.hpp"
#include "systemd/login_manager.hpp"

namespace berth::agent {

struct ShutdownComplaint {
  std::string problem{};
  std::string advice{};

  [[nodiscard]] bool empty() const { return problem.empty(); }
  // Both.
  [[nodiscard]] std::string sentence() const { return empty() ? "" : problem + ": " + advice; }
  bool operator==(const ShutdownComplaint&) const = default;
};

// Empty: nothing does, or nothing is configured, or it is not known yet.
[[nodiscard]] ShutdownComplaint shutdown_complaint(const ConfiguredShutdown& configured,
                                                   const systemd::LoginState& login);

}  // namespace berth::agent
