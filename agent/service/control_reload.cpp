// SPDX-License-Identifier: Apache-2.0

// The control API's call to read the configuration again, and what `status` shows of it.
#include "agent/serve/control_calls.hpp"
#include "agent/service/reload.hpp"

namespace berth::agent {
namespace {

void put(const SettingChange& change, wire::SettingChange& out) {
  out.set_field(change.field);
  out.set_before(change.before);
  out.set_after(change.after);
  out.set_needs_restart(change.takes_effect == TakesEffect::kAtRestart);
}

}  // namespace

boost::asio::awaitable<Result<Answered>> answer_later(ControlSources& from,
                                                      const wire::ReloadRequest& /*request*/,
                                                      wire::ReloadReply& reply) {
  if (from.reloading == nullptr)
    co_return fail(ErrorCode::kUnavailable,
                   "berthd is still starting and cannot reload yet; try again once it is ready");
  auto reloading = from.reloading->reload();
  const ReloadOutcome outcome = co_await std::move(reloading);
  for (const auto& problem : outcome.problems) reply.add_problems(problem);
  for (const auto& change : outcome.changes) put(change, *reply.add_changes());
  reply.set_config_file(from.settings.config_file);
  co_return Answered{};
}

void put_pending(const ControlSources& from, wire::StatusReply& reply) {
  if (from.reloading == nullptr) return;
  for (const auto& change : from.reloading->pending()) put(change, *reply.add_pending_restart());
}

}  // namespace berth::agent
