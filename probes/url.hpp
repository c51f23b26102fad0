// URLs as Go's net/url reads, joins and prints them, and so the kubelet: what a pod's author writes
// as the path of a probe, where a server redirects to, where a runtime streams, what a caller asks
// of our own port.
//
// Boost.URL is no substitute. It keeps to RFC 3986 and refuses what Go takes and mends (`/a b`,
// `/é`, `/x?a|b`, `/x[1]`), and takes what Go refuses (`a:b`); of such paths are probes made. Only
// http and https with an authority. Pure.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace berth::probes {

struct Url {
  std::string scheme{};     // lower case
  std::string authority{};  // host or host:port, as written; no user
  std::string path{};       // as it goes on the wire
  std::string query{};      // without the question mark
  bool has_query = false;
  std::string fragment{};

  // The whole of it, as error texts name it.
  [[nodiscard]] std::string str() const;
  // What stands in the request line.
  [[nodiscard]] std::string request_target() const;
  // Without port and brackets.
  [[nodiscard]] std::string hostname() const;
  // The default port of the scheme if none is written.
  [[nodiscard]] std::string port() const;

  bool operator==(const Url&) const = default;
};

// An absolute URL or a reference. None: it is no URL.
[[nodiscard]] std::optional<Url> parse_url(std::string_view text);

// The parameters of the query, decoded, in their order; a pair that cannot be decoded is left out.
[[nodiscard]] std::vector<std::pair<std::string, std::string>> query_values(const Url& url);

// `reference` as seen from `base` (RFC 3986, 5.2).
[[nodiscard]] Url resolve_reference(const Url& base, const Url& reference);

// For text that is no URL: all of it, percent-encoded where a path must be.
[[nodiscard]] std::string escape_path(std::string_view text);

// "10.0.0.5:80", "[fd00::5]:80"
[[nodiscard]] std::string join_host_port(std::string_view host, std::string_view port);

}  // namespace berth::probes
