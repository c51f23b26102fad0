// SPDX-License-Identifier: Apache-2.0

#include "probes/url.hpp"

#include <algorithm>
#include <cctype>
#include <cstdint>

namespace berth::probes {
namespace {

bool is_alpha(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

int hex_value(char c) {
  if (is_digit(c)) return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return -1;
}

bool escapes_are_whole(std::string_view text) {
  for (std::size_t at = text.find('%'); at != std::string_view::npos; at = text.find('%', at + 1)) {
    if (at + 2 >= text.size() || hex_value(text[at + 1]) < 0 || hex_value(text[at + 2]) < 0) {
      return false;
    }
  }
  return true;
}

std::string unescaped(std::string_view text) {
  std::string out;
  for (std::size_t at = 0; at < text.size(); ++at) {
    if (text[at] != '%') {
      out += text[at];
      continue;
    }
    out += static_cast<char>(hex_value(text[at + 1]) * 16 + hex_value(text[at + 2]));
    at += 2;
  }
  return out;
}

constexpr std::string_view kKeptInPath = "-_.~$&+,/:;=@";
constexpr std::string_view kAlsoValidInPath = "!'()*[]%";

bool one_of(char c, std::string_view set) {
  return set.find(c) != std::string_view::npos;
}

bool kept_in_path(char c) {
  return is_alpha(c) || is_digit(c) || one_of(c, kKeptInPath);
}

// Unchanged if it is already properly encoded, else re-encoded.
std::string path_on_the_wire(std::string_view path) {
  const auto valid = [](char c) { return kept_in_path(c) || one_of(c, kAlsoValidInPath); };
  if (std::all_of(path.begin(), path.end(), valid)) return std::string(path);
  return escape_path(unescaped(path));
}

// Removes the scheme and its colon from `rest`; empty if there is none. `std::nullopt` for a colon
// without a scheme.
std::optional<std::string> consume_scheme(std::string_view& rest) {
  for (std::size_t at = 0; at < rest.size(); ++at) {
    const char c = rest[at];
    if (is_alpha(c)) continue;
    if ((is_digit(c) || one_of(c, "+-.")) && at > 0) continue;
    if (c != ':') return "";
    if (at == 0) return std::nullopt;
    std::string scheme(rest.substr(0, at));
    std::transform(scheme.begin(), scheme.end(), scheme.begin(),
                   [](unsigned char upper) { return static_cast<char>(std::tolower(upper)); });
    rest.remove_prefix(at + 1);
    return scheme;
  }
  return "";
}

bool consume_authority(std::string_view& rest, Url& url) {
  if (!rest.starts_with("//") || (url.scheme.empty() && rest.starts_with("///"))) return true;
  rest.remove_prefix(2);
  std::string_view authority = rest.substr(0, rest.find('/'));
  rest.remove_prefix(authority.size());
  if (const auto at = authority.rfind('@'); at != std::string_view::npos) {
    authority.remove_prefix(at + 1);
  }
  const auto close = authority.rfind(']');
  if (authority.starts_with('[') && close == std::string_view::npos) return false;
  const auto colon = authority.rfind(':');
  if (colon != std::string_view::npos && (close == std::string_view::npos || colon > close)) {
    const auto port = authority.substr(colon + 1);
    if (!std::all_of(port.begin(), port.end(), is_digit)) return false;
  }
  if (authority.find_first_of(" \"<>\\^`{|}") != std::string_view::npos) return false;
  url.authority = authority;
  return true;
}

std::string without_dot_segments(std::string_view path) {
  std::string out;
  while (!path.empty()) {
    const auto slash = path.find('/');
    const std::string_view segment = path.substr(0, slash);
    const bool last = slash == std::string_view::npos;
    path.remove_prefix(last ? path.size() : slash + 1);
    if (segment == "..") {
      if (!out.empty()) out.pop_back();
      out.erase(out.rfind('/') == std::string::npos ? 0 : out.rfind('/') + 1);
      continue;
    }
    if (segment == ".") continue;
    out += segment;
    if (!last) out += '/';
  }
  if (!out.starts_with('/')) out.insert(0, 1, '/');
  return out;
}

}  // namespace

std::string escape_path(std::string_view text) {
  constexpr std::string_view kHex = "0123456789ABCDEF";
  std::string out;
  for (const char c : text) {
    if (kept_in_path(c)) {
      out += c;
      continue;
    }
    const auto byte = static_cast<std::uint8_t>(c);
    out += '%';
    out += kHex[byte >> 4U];
    out += kHex[byte & 15U];
  }
  return out;
}

std::string join_host_port(std::string_view host, std::string_view port) {
  std::string out;
  const bool bracketed = host.find(':') != std::string_view::npos;
  if (bracketed) out += '[';
  out += host;
  if (bracketed) out += ']';
  out += ':';
  out += port;
  return out;
}

std::string Url::str() const {
  std::string out = scheme + "://" + authority;
  if (!path.empty() && !path.starts_with('/')) out += '/';
  out += path;
  if (has_query) out += "?" + query;
  if (!fragment.empty()) out += "#" + fragment;
  return out;
}

std::string Url::request_target() const {
  std::string out = path.starts_with('/') ? path : "/" + path;
  if (has_query) out += "?" + query;
  return out;
}

std::string Url::hostname() const {
  if (authority.starts_with('[')) return authority.substr(1, authority.rfind(']') - 1);
  return authority.substr(0, authority.find(':'));
}

std::string Url::port() const {
  const auto close = authority.rfind(']');
  const auto colon = authority.rfind(':');
  const bool written = colon != std::string::npos && (close == std::string::npos || colon > close);
  if (written && colon + 1 < authority.size()) return authority.substr(colon + 1);
  return scheme == "https" ? "443" : "80";
}

std::optional<Url> parse_url(std::string_view text) {
  const auto control = [](unsigned char c) { return c < 0x20 || c == 0x7F; };
  if (std::any_of(text.begin(), text.end(), control)) return std::nullopt;
  Url url;
  if (const auto hash = text.find('#'); hash != std::string_view::npos) {
    url.fragment = text.substr(hash + 1);
    if (!escapes_are_whole(url.fragment)) return std::nullopt;
    text = text.substr(0, hash);
  }
  auto scheme = consume_scheme(text);
  if (!scheme) return std::nullopt;
  url.scheme = std::move(*scheme);
  if (const auto mark = text.find('?'); mark != std::string_view::npos) {
    url.has_query = true;
    url.query = text.substr(mark + 1);
    text = text.substr(0, mark);
  }
  if (!text.starts_with('/')) {
    // "mailto:x" cannot be requested, and "a:b" is no path.
    if (!url.scheme.empty() && !text.empty()) return std::nullopt;
    if (text.substr(0, text.find('/')).find(':') != std::string_view::npos) return std::nullopt;
  }
  if (!consume_authority(text, url)) return std::nullopt;
  if (!escapes_are_whole(text)) return std::nullopt;
  url.path = path_on_the_wire(text);
  return url;
}

std::vector<std::pair<std::string, std::string>> query_values(const Url& url) {
  const auto decoded = [](std::string_view text) -> std::optional<std::string> {
    if (!escapes_are_whole(text)) return std::nullopt;
    std::string spaced(text);
    std::replace(spaced.begin(), spaced.end(), '+', ' ');
    return unescaped(spaced);
  };
  std::vector<std::pair<std::string, std::string>> values;
  std::string_view rest = url.query;
  while (!rest.empty()) {
    const auto end = rest.find('&');
    const std::string_view pair = rest.substr(0, end);
    rest.remove_prefix(end == std::string_view::npos ? rest.size() : end + 1);
    if (pair.empty() || one_of(';', pair)) continue;
    const auto equals = pair.find('=');
    auto key = decoded(pair.substr(0, equals));
    auto value = decoded(equals == std::string_view::npos ? "" : pair.substr(equals + 1));
    if (key && value) values.emplace_back(std::move(*key), std::move(*value));
  }
  return values;
}

Url resolve_reference(const Url& base, const Url& reference) {
  Url out = reference;
  if (!reference.scheme.empty()) {
    out.path = out.path.empty() ? "" : without_dot_segments(out.path);
    return out;
  }
  out.scheme = base.scheme;
  if (!reference.authority.empty()) {
    out.path = out.path.empty() ? "" : without_dot_segments(out.path);
    return out;
  }
  out.authority = base.authority;
  if (reference.path.empty()) {
    out.path = base.path;
    if (!reference.has_query) {
      out.has_query = base.has_query;
      out.query = base.query;
    }
    return out;
  }
  if (reference.path.starts_with('/')) {
    out.path = without_dot_segments(reference.path);
    return out;
  }
  const auto slash = base.path.rfind('/');
  const std::string folder = slash == std::string::npos ? "/" : base.path.substr(0, slash + 1);
  out.path = without_dot_segments(folder + reference.path);
  return out;
}

}  // namespace berth::probes
