// URLs as the kubelet's HTTP client reads, joins and prints them.
//
// Only what probes and hooks need: http and https with an authority. Pure.
#pragma once

#include <optional>
#include <string>
#include <string_view>

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

// `reference` as seen from `base` (RFC 3986, 5.2).
[[nodiscard]] Url resolve_reference(const Url& base, const Url& reference);

// For text that is no URL: all of it, percent-encoded where a path must be.
[[nodiscard]] std::string escape_path(std::string_view text);

// "10.0.0.5:80", "[fd00::5]:80"
[[nodiscard]] std::string join_host_port(std::string_view host, std::string_view port);

}  // namespace berth::probes
