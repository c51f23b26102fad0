// SPDX-License-Identifier: Apache-2.0

// URLs as Go's net/url, and so the kubelet, parses, joins and prints them: the path of a probe in a
// pod's spec, a server's redirect, a runtime's streaming URL, a request to our own port.
//
// Boost.URL is no substitute. It follows RFC 3986 and refuses what Go accepts and repairs (`/a b`,
// `/é`, `/x?a|b`, `/x[1]`), and accepts what Go refuses (`a:b`); probes have such paths. Only http
// and https with an authority. Pure.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace berth::probes {

struct Url {
  std::string scheme{};     // lower case
  std::string authority{};  // host or host:port, as written; without user
  std::string path{};       // as sent on the wire
  std::string query{};      // without the question mark
  bool has_query = false;
  std::string fragment{};

  // The whole URL, as error texts name it.
  [[nodiscard]] std::string str() const;
  // The target of the request line.
  [[nodiscard]] std::string request_target() const;
  // Without port and brackets.
  [[nodiscard]] std::string hostname() const;
  // The scheme's default port if none is written.
  [[nodiscard]] std::string port() const;

  bool operator==(const Url&) const = default;
};

// An absolute URL or a reference; `std::nullopt` if it is no URL.
[[nodiscard]] std::optional<Url> parse_url(std::string_view text);

// The decoded parameters of the query, in their order; pairs that cannot be decoded are omitted.
[[nodiscard]] std::vector<std::pair<std::string, std::string>> query_values(const Url& url);

// Resolves `reference` against `base` (RFC 3986, 5.2).
[[nodiscard]] Url resolve_reference(const Url& base, const Url& reference);

// For text that is no URL: the whole text, percent-encoded where a path requires it.
[[nodiscard]] std::string escape_path(std::string_view text);

// "10.0.0.5:80", "[fd00::5]:80"
[[nodiscard]] std::string join_host_port(std::string_view host, std::string_view port);

}  // namespace berth::probes
