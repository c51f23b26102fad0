// SPDX-License-Identifier: Apache-2.0

#include "probes/http_message.hpp"

#include <algorithm>
#include <array>
#include <iterator>

#include <fmt/format.h>

#include "base/text.hpp"

namespace berth::probes {
namespace {

bool is_token(char c) {
  constexpr std::string_view kMarks = "!#$%&'*+-.^_`|~";
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
         kMarks.find(c) != std::string_view::npos;
}

bool is_header_name(std::string_view name) {
  return !name.empty() && std::all_of(name.begin(), name.end(), is_token);
}

bool is_header_value(std::string_view value) {
  return std::none_of(value.begin(), value.end(),
                      [](unsigned char c) { return (c < 0x20 && c != '\t') || c == 0x7F; });
}

bool is_host(std::string_view host) {
  constexpr std::string_view kMarks = "!$%&'()*+,-.:;=@[]_~";
  return std::all_of(host.begin(), host.end(), [&](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
           kMarks.find(c) != std::string_view::npos;
  });
}

// Headers that the client writes itself.
bool is_written_by_client(std::string_view name) {
  constexpr auto kNames = std::to_array<std::string_view>(
      {"User-Agent", "Content-Length", "Transfer-Encoding", "Trailer"});
  return std::find(kNames.begin(), kNames.end(), name) != kNames.end();
}

// Redirects that the client cannot follow without a Location.
bool must_name_a_place(int status) {
  return status >= 301 && status <= 303;
}

bool may_redirect(int status) {
  return must_name_a_place(status) || status == 307 || status == 308;
}

// Empty if none is sent, as from https to http.
std::string referer(const Url& from, const Url& to) {
  if (from.scheme == "https" && to.scheme == "http") return {};
  Url shown = from;
  shown.fragment.clear();
  return shown.str();
}

void set_header(std::vector<api::HTTPHeader>& headers, std::string name, std::string value) {
  std::erase_if(headers, [&](const auto& header) { return header.name == name; });
  const auto place = std::find_if(headers.begin(), headers.end(),
                                  [&](const auto& header) { return header.name > name; });
  headers.insert(place, {.name = std::move(name), .value = std::move(value)});
}

}  // namespace

std::string canonical_header_name(std::string_view name) {
  std::string out(name);
  if (!is_header_name(name)) return out;
  bool upper = true;
  for (char& c : out) {
    if (upper && c >= 'a' && c <= 'z') c = static_cast<char>(c - 'a' + 'A');
    if (!upper && c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
    upper = c == '-';
  }
  return out;
}

Result<std::string> render_request(const HttpTarget& target) {
  const std::string& host = target.host_header.empty() ? target.url.authority : target.host_header;
  if (!is_host(host)) return fail(ErrorCode::kInvalid, "http: invalid Host header");
  std::string user_agent;
  std::string others;
  for (const auto& [name, value] : target.headers) {
    if (!is_header_name(name)) {
      return fail(ErrorCode::kInvalid,
                  fmt::format("net/http: invalid header field name \"{}\"", name));
    }
    if (!is_header_value(value)) {
      return fail(ErrorCode::kInvalid,
                  fmt::format("net/http: invalid header field value for \"{}\"", name));
    }
    if (name == "User-Agent" && user_agent.empty()) user_agent = value;
    if (!is_written_by_client(name))
      fmt::format_to(std::back_inserter(others), "{}: {}\r\n", name, value);
  }
  std::string out =
      fmt::format("GET {} HTTP/1.1\r\nHost: {}\r\n", target.url.request_target(), host);
  if (!user_agent.empty())
    fmt::format_to(std::back_inserter(out), "User-Agent: {}\r\n", user_agent);
  return out + others + "Connection: close\r\n\r\n";
}

std::string brief_url(std::string_view url) {
  constexpr std::size_t kLongest = 1024;
  if (url.size() <= kLongest) return std::string(url);
  return fmt::format("{}… ({} bytes)", first_bytes(url, kLongest), url.size());
}

Redirect redirect(const HttpAnswer& answer, const HttpTarget& first, const HttpTarget& asked,
                  int requests) {
  if (!may_redirect(answer.status)) return {};
  if (answer.location.empty()) {
    if (!must_name_a_place(answer.status)) return {};
    return {.error = fmt::format("{} response missing Location header", answer.status),
            .about = asked.url.str()};
  }
  const auto reference = parse_url(answer.location);
  if (!reference) {
    return {
        .error = fmt::format("failed to parse Location header \"{}\"", brief_url(answer.location)),
        .about = asked.url.str()};
  }
  HttpTarget next{.url = resolve_reference(asked.url, *reference), .headers = first.headers};
  if (reference->scheme.empty()) next.host_header = asked.host_header;
  if (next.url.hostname() != first.url.hostname()) return {};
  if (requests >= kRequestLimit) {
    return {.error = fmt::format("stopped after {} redirects", kRequestLimit),
            .about = answer.location};
  }
  if (next.url.scheme != "http" && next.url.scheme != "https") {
    return {.error = fmt::format("unsupported protocol scheme \"{}\"", next.url.scheme),
            .about = next.url.str()};
  }
  const std::string from = referer(asked.url, next.url);
  if (!from.empty()) set_header(next.headers, "Referer", from);
  return {.next = std::move(next)};
}

Attempt judge_answer(HttpAnswer answer) {
  Attempt attempt{.code = answer.status};
  if (answer.status >= 200 && answer.status < 300) {
    attempt.outcome = Outcome::kSuccess;
    attempt.output = std::move(answer.body);
    return attempt;
  }
  attempt.cause = Cause::kAnswer;
  if (answer.status >= 300 && answer.status < 400) {
    attempt.outcome = Outcome::kWarning;
    attempt.output = "Probe terminated redirects, Response body: " + answer.body;
    return attempt;
  }
  attempt.outcome = Outcome::kFailure;
  attempt.output = fmt::format("HTTP probe failed with statuscode: {}", answer.status);
  attempt.body = std::move(answer.body);
  return attempt;
}

std::optional<std::size_t> head_end(std::string_view text) {
  std::size_t line = 0;
  for (;;) {
    const auto feed = text.find('\n', line);
    if (feed == std::string_view::npos) return std::nullopt;
    const auto length = feed - line;
    const bool blank = length == 0 || (length == 1 && text[line] == '\r');
    if (blank) return feed + 1;
    line = feed + 1;
  }
}

std::string strict_head(std::string_view head) {
  std::string out;
  out.reserve(head.size() + 16);
  while (!head.empty()) {
    const auto feed = std::min(head.find('\n'), head.size());
    std::string_view line = head.substr(0, feed);
    head.remove_prefix(std::min(feed + 1, head.size()));
    if (line.ends_with('\r')) line.remove_suffix(1);
    const bool status_line = out.empty();
    out += line;
    // "HTTP/1.1 200" is complete to Go.
    if (status_line && std::count(line.begin(), line.end(), ' ') == 1) out += ' ';
    out += "\r\n";
  }
  return out;
}

}  // namespace berth::probes
