// SPDX-License-Identifier: Apache-2.0

// HTTP/1.1 as probes use it: requests, redirects, and the verdict on an answer.
//
// Pure; the rules and texts are the kubelet's HTTP client's (Go's net/http). http_get.cpp reads
// answers from sockets.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "base/result.hpp"
#include "probes/attempt.hpp"
#include "probes/target.hpp"

namespace berth::probes {

inline constexpr std::size_t kOutputLimit = 10'240;  // bytes, of bodies and of commands
inline constexpr int kRequestLimit = 10;             // the first request plus redirects

// "x-foo" → "X-Foo"; an invalid header name stays as it is.
[[nodiscard]] std::string canonical_header_name(std::string_view name);

// The bytes of a GET. kInvalid, in net/http's words, for a header that cannot be sent.
[[nodiscard]] Result<std::string> render_request(const HttpTarget& target);

// One answer, as far as it was read.
struct HttpAnswer {
  int status = 0;
  std::string location{};
  std::string body{};  // at most kOutputLimit
};

struct Redirect {
  std::optional<HttpTarget> next{};    // what to request next
  std::optional<std::string> error{};  // "stopped after 10 redirects", and the request it concerns
  std::string about{};
};

// What follows from an answer to `asked`; both are unset if the answer is final. `first`: the first
// request, whose host counts; `requests`: number of requests so far.
[[nodiscard]] Redirect redirect(const HttpAnswer& answer, const HttpTarget& first,
                                const HttpTarget& asked, int requests);

// Judges the final answer. The caller sets phase and time.
[[nodiscard]] Attempt judge_answer(HttpAnswer answer);

// Where the head of an answer ends in `text`, including the blank line; `std::nullopt` if not yet.
[[nodiscard]] std::optional<std::size_t> head_end(std::string_view text);

// The head, after repairing what Go's client tolerates and a strict parser refuses: bare line
// feeds, a status line that ends with its code.
[[nodiscard]] std::string strict_head(std::string_view head);

// A URL for error texts: a path or redirect may be a megabyte long, and the result of an attempt
// appears in every event. Beyond 1,024 bytes it is truncated and its length appended.
[[nodiscard]] std::string brief_url(std::string_view url);

}  // namespace berth::probes
