#include "api/image_reference.hpp"

#include <algorithm>

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

// Calls check on each part between the separators; false as soon as one fails.
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

bool is_digest(std::string_view text) {
  struct Algorithm {
    std::string_view prefix;
    std::size_t digits;
  };
  constexpr Algorithm kKnown[] = {{"sha256:", 64}, {"sha384:", 96}, {"sha512:", 128}};
  for (const Algorithm& algorithm : kKnown) {
    if (!text.starts_with(algorithm.prefix)) continue;
    const std::string_view hex = text.substr(algorithm.prefix.size());
    return hex.size() == algorithm.digits && all(hex, is_lower_hex);
  }
  return false;
}

struct Split {
  std::string domain{};
  std::string_view rest{};
};

// A first part is a registry if it looks like a host; else the image is one of Docker's.
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

std::optional<ImageReference> parse_image_reference(std::string_view text) {
  if (text.size() == 64 && all(text, is_lower_hex)) return std::nullopt;  // an image id
  ImageReference reference;
  if (const std::size_t at = text.find('@'); at != text.npos) {
    reference.digest = text.substr(at + 1);
    text = text.substr(0, at);
    if (!is_digest(reference.digest)) return std::nullopt;
  }
  const Split split = split_domain(text);
  std::string_view path = split.rest;
  if (const std::size_t colon = path.find(':'); colon != path.npos) {
    reference.tag = path.substr(colon + 1);
    path = path.substr(0, colon);
    if (!is_tag(reference.tag)) return std::nullopt;
  }
  if (!is_domain(split.domain) || !each_part(path, '/', is_path_component)) return std::nullopt;
  reference.name = split.domain + "/";
  if (split.domain == kDefaultDomain && path.find('/') == path.npos) reference.name += "library/";
  reference.name += path;
  if (reference.name.size() > kMostNameBytes) return std::nullopt;
  return reference;
}

}  // namespace berth::api
