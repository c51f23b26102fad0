// SPDX-License-Identifier: Apache-2.0

// The control API's call about the shutdown of the node.
#include "agent/serve/control_calls.hpp"
#include "agent/service/reload.hpp"
#include "agent/shutdown/node_shutdown.hpp"
#include "agent/shutdown/shutdown_wire.hpp"

namespace berth::agent {

boost::asio::awaitable<Result<Answered>> answer_later(ControlSources& from,
                                                      const wire::PlanShutdownRequest& /*request*/,
                                                      wire::PlanShutdownReply& reply) {
  co_await until_known(from);
  if (!from.known.yet()) co_return fail(not_known_yet(from));
  if (from.reloading != nullptr)
    for (const SettingChange& change : from.reloading->pending())
      if (change.field.starts_with("shutdownGracePeriod"))
        reply.add_pending_restart(to_string(change));
  if (from.shutdown == nullptr) co_return Answered{};
  co_await from.shutdown->login().ask(kAskRuntime);
  put(from.shutdown->configured(), from.pods.placed(), from.shutdown->login().state(), reply);
  co_return Answered{};
}

}  // namespace berth::agent
