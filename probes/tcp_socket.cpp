#include <utility>

#include <fmt/format.h>

#include "probes/attempts.hpp"
#include "probes/url.hpp"

namespace berth::probes {

Try tcp_attempt(SocketKeeper& keeper, TcpTarget target, Progress& progress) {
  progress.phase = Phase::kConnect;
  auto dialing = dial(keeper, std::move(target.host), std::to_string(target.port));
  auto dialed = co_await std::move(dialing);
  Attempt attempt{.phase = Phase::kConnect};
  if (!dialed) {
    attempt.cause = dialed.error().cause;
    attempt.errored = attempt.cause == Cause::kOurs;
    attempt.outcome = attempt.errored ? Outcome::kUnknown : Outcome::kFailure;
    attempt.output = std::move(dialed.error().text);
    co_return attempt;
  }
  close_socket(keeper, *dialed, keeper.clock.steady_now() < keeper.ports_short_until);
  attempt.outcome = Outcome::kSuccess;
  attempt.phase = Phase::kDone;
  co_return attempt;
}

Attempt tcp_timeout(const TcpTarget& target) {
  return {.outcome = Outcome::kFailure,
          .output = fmt::format("dial tcp {}: i/o timeout",
                                join_host_port(target.host, std::to_string(target.port))),
          .phase = Phase::kConnect,
          .cause = Cause::kTimeout};
}

}  // namespace berth::probes
