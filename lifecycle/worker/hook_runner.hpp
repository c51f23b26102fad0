// SPDX-License-Identifier: Apache-2.0

// Runs one lifecycle hook, postStart or preStop, to its end.
//
// As in the kubelet, a command or request has no time limit of its own, a command's arguments are
// passed unchanged, and any HTTP response counts as success, whatever its status. Owned by the
// awaiting coroutine; after cancellation, only a command that already runs in the container
// continues. Loop thread only.
#pragma once

#include <string>
#include <vector>

#include <boost/asio/awaitable.hpp>

#include "api/container.hpp"
#include "api/handlers.hpp"
#include "base/clock.hpp"
#include "cri/runtime.hpp"
#include "lifecycle/worker/hook_outcome.hpp"
#include "probes/handlers.hpp"

namespace berth::lifecycle {

struct HookCall {
  api::LifecycleHandler handler{};
  std::string pod{};  // as pod_description returns it
  std::string container{};
  cri::ContainerId id{};
  std::vector<api::ContainerPort> ports{};
  // The first address that the runtime shows for the sandbox; empty for host-network pods, whose
  // httpGet hooks must name a host.
  std::string pod_ip{};
};

struct HookServices {
  Clock& clock;
  cri::Runtime& runtime;
  probes::Handlers& handlers;
};

[[nodiscard]] boost::asio::awaitable<HookOutcome> run_hook(HookServices services, HookCall call);

}  // namespace berth::lifecycle
