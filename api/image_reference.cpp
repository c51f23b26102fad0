// SPDX-License-Identifier: Apache-2.0

#include "api/image_reference.hpp"

#include <algorithm>
#include <utility>

namespace berth::api {

namespace {

constexpr std::string_view kDefaultDomain = "docker.io";
constexpr std::size_t kMostNameBytes = 255;
constexpr std::size_t kMostTagBytes = 128;

bool is_digit(char c) {
  return c >= '0' && c <= '9';
}
bool is_lower(char c) {
  return c >= 'a' && c <= 'z';
}
bool is_upper(char c) {
  return c >= 'A' && c <= 'Z';
}
bool is_alnum(char c) {
  return is_digit(c) || is_lower(c) || is_upper(c);
}
bool is_lower_hex(char c) {
  return is_digit(c) || (c >= 'a' && c <= 'f');
}

template <class Test>
bool all(std::string_view text, Test test) {
  return !text.empty() && std::all_of(text.begin(), text.end(), test);
}

// Calls check on each part between the separators; returns false as soon as one fails.
template <class Check>
bool each_part(std::string_view text, char separator, Check check) {
  while (true) {
    const std::size_t end = text.find(separator);
    if (!check(text.substr(0, end))) return false;
    if (end == text.npos) return true;
    text.remove_prefix(end + 1);
  }
}

// Lower-case words joined by one '.', one or two '_', or any number of '-'.
bool is_path_component(std::string_view text) {
  const auto is_word = [](char c) { return is_lower(c) || is_digit(c); };
  if (text.empty() || !is_word(text.front()) || !is_word(text.back())) return false;
  for (std::size_t i = 0; i < text.size();) {
    if (is_word(text[i])) {
      ++i;
      continue;
    }
    std::size_t end = i;
    while (end < text.size() && text[end] == text[i]) ++end;
    const std::size_t length = end - i;
    const std::size_t most = text[i] == '.' ? 1 : text[i] == '_' ? 2 : text[i] == '-' ? length : 0;
    if (length > most || !is_word(text[end])) return false;
    i = end;
  }
  return true;
}

bool is_domain(std::string_view text) {
  if (const std::size_t colon = text.rfind(':'); colon != text.npos && !text.ends_with(']')) {
    if (!all(text.substr(colon + 1), is_digit)) return false;
    text = text.substr(0, colon);
  }
  if (text.starts_with('[')) {
    return text.ends_with(']') && all(text.substr(1, text.size() - 2), [](char c) {
             return is_digit(c) || c == ':' || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F');
           });
  }
  return each_part(text, '.', [](std::string_view part) {
    return all(part, [](char c) { return is_alnum(c) || c == '-'; }) && part.front() != '-' &&
           part.back() != '-';
  });
}

bool is_tag(std::string_view text) {
  return text.size() <= kMostTagBytes &&
         all(text, [](char c) { return is_alnum(c) || c == '_' || c == '.' || c == '-'; }) &&
         text.front() != '.' && text.front() != '-';
}

// Empty if the digest is valid, else the problem.
std::string digest_problem(std::string_view text) {
  struct Algorithm {
    std::string_view name;
    std::size_t digits;
  };
  constexpr Algorithm kKnown[] = {{"sha256", 64}, {"sha384", 96}, {"sha512", 128}};
  // The minimum set by the reference grammar itself.
  constexpr std::size_t kFewestDigits = 32;
  const std::size_t colon = text.find(':');
  const std::string_view hex = colon == text.npos ? "" : text.substr(colon + 1);
  const auto is_hex = [](char c) { return is_lower_hex(c) || (c >= 'A' && c <= 'F'); };
  if (hex.size() < kFewestDigits || !all(hex, is_hex)) return "invalid reference format";
  for (const Algorithm& algorithm : kKnown) {
    if (text.substr(0, colon) != algorithm.name) continue;
    if (hex.size() != algorithm.digits) return "invalid checksum digest length";
    return all(hex, is_lower_hex) ? "" : "invalid checksum digest format";
  }
  return "unsupported digest algorithm";
}

struct Split {
  std::string domain{};
  std::string_view rest{};
};

// The first part is a registry if it looks like a host; otherwise the image is one of Docker's.
Split split_domain(std::string_view text) {
  const std::size_t slash = text.find('/');
  const std::string_view first = text.substr(0, slash);
  const bool host =
      slash != text.npos && (first.find_first_of(".:") != first.npos || first == "localhost" ||
                             std::any_of(first.begin(), first.end(), is_upper));
  if (!host) return Split{std::string(kDefaultDomain), text};
  const std::string_view domain = first == "index.docker.io" ? kDefaultDomain : first;
  return Split{std::string(domain), text.substr(slash + 1)};
}

}  // namespace

std::expected<ImageReference, std::string> parse_image_reference(std::string_view text) {
  constexpr const char* kInvalidFormat = "invalid reference format";
  if (text.size() == 64 && all(text, is_lower_hex)) {
    return std::unexpected("invalid repository name (" + std::string(text) +
                           "), cannot specify 64-byte hexadecimal strings");
  }
  ImageReference reference;
  const std::size_t at = text.find('@');
  if (at != text.npos) reference.digest = text.substr(at + 1);
  const Split split = split_domain(text.substr(0, at));
  std::string_view path = split.rest;
  if (const std::size_t colon = path.find(':'); colon != path.npos) {
    reference.tag = path.substr(colon + 1);
    path = path.substr(0, colon);
  }
  const bool official = split.domain == kDefaultDomain && path.find('/') == path.npos;
  const std::string repository = (official ? "library/" : "") + std::string(path);
  if (std::any_of(path.begin(), path.end(), is_upper)) {
    return std::unexpected("invalid reference format: repository name (" + repository +
                           ") must be lowercase");
  }
  const bool tagged = path.size() != split.rest.size();
  if (!is_domain(split.domain) || !each_part(path, '/', is_path_component) ||
      (tagged && !is_tag(reference.tag))) {
    return std::unexpected(kInvalidFormat);
  }
  reference.name = split.domain + "/" + repository;
  if (reference.name.size() > kMostNameBytes) {
    return std::unexpected("repository name must not be more than 255 characters");
  }
  if (at != text.npos) {
    if (auto problem = digest_problem(reference.digest); !problem.empty()) {
      return std::unexpected(std::move(problem));
    }
  }
  return reference;
}

std::string with_default_tag(const std::string& image) {
  if (image.find('@') != std::string::npos) return image;
  const auto slash = image.rfind('/');
  const auto colon = image.rfind(':');
  const bool tagged = colon != std::string::npos && (slash == std::string::npos || colon > slash);
  return tagged ? image : image + ":latest";
}

}  // namespace berth::api
