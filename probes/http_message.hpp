// HTTP/1.1 as probes speak it: what is sent, which redirects are followed, how an answer is judged.
//
// Pure; the rules and texts are the kubelet's HTTP client's (Go's net/http). Reading an answer off
// a socket is http_get.cpp's.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "base/result.hpp"
#include "probes/attempt.hpp"
#include "probes/target.hpp"

namespace berth::probes {

inline constexpr std::size_t kOutputLimit = 10'240;  // bytes, of bodies and of commands
inline constexpr int kRequestLimit = 10;             // the first one and what redirects lead to

// "x-foo" → "X-Foo"; what is no header name stays as it is.
[[nodiscard]] std::string canonical_header_name(std::string_view name);

// The bytes of a GET. kInvalid: a header that cannot be sent, in net/http's words.
[[nodiscard]] Result<std::string> render_request(const HttpTarget& target);

// One answer, as far as it was read.
struct HttpAnswer {
  int status = 0;
  std::string location{};
  std::string body{};  // at most kOutputLimit
};

struct Redirect {
  std::optional<HttpTarget> next{};    // what to ask instead
  std::optional<std::string> error{};  // "stopped after 10 redirects", and what it is about
  std::string about{};
};

// What follows from an answer to `asked`; nothing: the answer is final. `first`: what was asked
// at first, whose host counts; `requests`: how many were made so far.
[[nodiscard]] Redirect redirect(const HttpAnswer& answer, const HttpTarget& first,
                                const HttpTarget& asked, int requests);

// The final answer. Phase and time are the caller's.
[[nodiscard]] Attempt judge_answer(HttpAnswer answer);

// Where the head of an answer ends in `text`, the blank line included; none: not yet.
[[nodiscard]] std::optional<std::size_t> head_end(std::string_view text);

// The head with what Go's client tolerates and a strict parser refuses put right: bare line feeds,
// a status line that ends with its code.
[[nodiscard]] std::string strict_head(std::string_view head);

// The last chunk of a body begins, and not enough of it is there: Beast's parser has seen its size
// when it gets the line, and asserts that it is called with five bytes then.
[[nodiscard]] bool awaits_last_chunk(std::string_view body);

// As error texts show a URL: a path or a redirect may be a megabyte long, and what an attempt came
// to stands in every event. Beyond 1,024 bytes it is cut, with its length behind it.
[[nodiscard]] std::string brief_url(std::string_view url);

}  // namespace berth::probes
