// SPDX-License-Identifier: Apache-2.0

// The result of one attempt at a probe or hook, and where it failed.
//
// `outcome` and `output` are the kubelet's own, word for word: they appear in events. The rest is
// for people: the phase in which it ended, why, and how long it took. Plain values; pure.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "base/clock_types.hpp"

namespace berth::probes {

enum class Outcome : std::uint8_t { kSuccess, kWarning, kFailure, kUnknown };

// success, warning, failure, unknown
[[nodiscard]] std::string_view to_string(Outcome outcome);

// How far the attempt got.
enum class Phase : std::uint8_t {
  kTarget,    // resolving the target: a port name, an address
  kConnect,   // name lookup and TCP
  kTls,       // handshake
  kResponse,  // request sent, no complete answer yet; also the answer to a gRPC call
  kBody,      // head read, body incomplete
  kCommand,   // the command in the container
  kDone,      // answered
};

enum class Cause : std::uint8_t {
  kNone,         // succeeded
  kAnswer,       // the answer itself: a status, an exit code, not serving
  kTimeout,      // nothing within the limit
  kRefused,      // connection refused
  kUnreachable,  // no route, host down
  kClosed,       // closed or reset before the answer was complete
  kProtocol,     // a protocol violation
  kOurs,         // the node's own shortage: descriptors, ports, memory. Never the container's fault
  kOther,
};

struct Attempt {
  Outcome outcome = Outcome::kUnknown;
  // The kubelet's "error": it says nothing about the container. Retried, and never counted.
  bool errored = false;
  std::string output{};
  std::string body{};  // of a failed HTTP answer: not shown in the event
  Phase phase = Phase::kDone;
  Cause cause = Cause::kNone;
  Nanoseconds took{0};
  // HTTP status, exit code or gRPC serving status, if there was one.
  std::optional<std::int32_t> code{};
  // An HTTPS request was answered in plain HTTP: a hook may retry without TLS.
  bool plain_http_answer = false;

  bool operator==(const Attempt&) const = default;
};

// In a few words: "connect refused after 1 ms", "no response within 1 s", "status 503, overloaded",
// "TLS handshake failed after 2 ms, remote error".
[[nodiscard]] std::string explain(const Attempt& attempt);

// "1 ms", "250 µs", "1.5 s"; at most three digits.
[[nodiscard]] std::string short_time(Nanoseconds time);

}  // namespace berth::probes
