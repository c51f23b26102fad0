// SPDX-License-Identifier: Apache-2.0

// One function per mechanism; NodeHandlers chooses among them. Loop thread.
//
// Each is cancelled when its limit is over, so each keeps in `Progress` what its caller then
// reports: how far it got, and the answer if there is one already.
#pragma once

#include <optional>
#include <string>

#include <boost/asio/awaitable.hpp>

#include "base/clock.hpp"
#include "base/result.hpp"
#include "cri/runtime.hpp"
#include "probes/attempt.hpp"
#include "probes/dial.hpp"
#include "probes/target.hpp"

namespace berth {
class GrpcQueue;
}

namespace berth::probes {

class TlsContext;

struct Progress {
  Phase phase = Phase::kConnect;
  SteadyTime begun_at{};
  std::string url{};                     // of the request under way
  std::optional<DialFailure> refused{};  // gRPC: the first connection that failed
  std::optional<Nanoseconds> took{};     // set if it differs from the time until now
  std::optional<Attempt> settled{};      // decided; only closing is left
};

using Try = boost::asio::awaitable<Result<Attempt>>;

[[nodiscard]] Try http_attempt(SocketKeeper& keeper, TlsContext& tls, HttpTarget target,
                               Progress& progress);
[[nodiscard]] Attempt http_timeout(const Progress& progress);

// `begun`: a connection that was already started, if any.
[[nodiscard]] Try tcp_attempt(SocketKeeper& keeper, TcpTarget target, std::optional<Dialing> begun);
// The result if the connection is already decided; else `std::nullopt`.
[[nodiscard]] std::optional<Attempt> tcp_at_once(SocketKeeper& keeper,
                                                 std::optional<Dialing>& begun);
[[nodiscard]] Attempt tcp_timeout(const TcpTarget& target);

[[nodiscard]] Try grpc_attempt(SocketKeeper& keeper, GrpcQueue& queue, GrpcTarget target,
                               std::optional<Nanoseconds> limit, Progress& progress);
[[nodiscard]] Attempt grpc_timeout(const GrpcTarget& target, const Progress& progress,
                                   Nanoseconds limit);

// The runtime enforces the limit.
[[nodiscard]] boost::asio::awaitable<Attempt> exec_attempt(cri::Runtime& runtime, ExecTarget target,
                                                           std::optional<Nanoseconds> limit);

// "1s", "1m30s", "250ms": as Go prints a duration.
[[nodiscard]] std::string go_duration(Nanoseconds duration);

}  // namespace berth::probes
