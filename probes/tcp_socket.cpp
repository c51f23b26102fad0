// SPDX-License-Identifier: Apache-2.0

#include <utility>

#include <fmt/format.h>

#include "probes/attempts.hpp"
#include "probes/url.hpp"

namespace berth::probes {

namespace {

Attempt judge(SocketKeeper& keeper, Dialed dialed) {
  Attempt attempt{.phase = Phase::kConnect};
  if (!dialed) {
    attempt.cause = dialed.error().cause;
    attempt.errored = attempt.cause == Cause::kOurs;
    attempt.outcome = attempt.errored ? Outcome::kUnknown : Outcome::kFailure;
    attempt.output = std::move(dialed.error().text);
    return attempt;
  }
  close_socket(keeper, std::move(*dialed), is_to_be_reset(keeper));
  attempt.outcome = Outcome::kSuccess;
  attempt.phase = Phase::kDone;
  return attempt;
}

}  // namespace

std::optional<Attempt> tcp_at_once(SocketKeeper& keeper, std::optional<Dialing>& begun) {
  if (!begun || begun->pending) return std::nullopt;
  if (begun->failure) return judge(keeper, std::unexpected(std::move(*begun->failure)));
  return judge(keeper, std::move(begun->socket));
}

Try tcp_attempt(SocketKeeper& keeper, TcpTarget target, std::optional<Dialing> begun) {
  auto dialing = begun ? finish_dial(keeper, std::move(*begun))
                       : dial(keeper, std::move(target.host), target.port);
  auto dialed = co_await std::move(dialing);
  co_return judge(keeper, std::move(dialed));
}

Attempt tcp_timeout(const TcpTarget& target) {
  return {.outcome = Outcome::kFailure,
          .output = fmt::format("dial tcp {}: i/o timeout",
                                join_host_port(target.host, std::to_string(target.port))),
          .phase = Phase::kConnect,
          .cause = Cause::kTimeout};
}

}  // namespace berth::probes
