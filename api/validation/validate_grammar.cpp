// SPDX-License-Identifier: Apache-2.0

#include "api/validation/validate_grammar.hpp"

#include <algorithm>
#include <array>
#include <optional>

namespace berth::api::grammar {

namespace {

constexpr std::size_t kLabelBytes = 63;
constexpr std::size_t kSubdomainBytes = 253;
constexpr std::size_t kPortNameBytes = 15;
constexpr std::int64_t kLargestId = 2147483647;

constexpr std::string_view kLabelDetail =
    "a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and "
    "must start and end with an alphanumeric character (e.g. 'my-name',  or '123-abc', regex used "
    "for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?')";
constexpr std::string_view kSubdomainDetail =
    "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or "
    "'.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used "
    "for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')";
constexpr std::string_view kUnderscoreSubdomainDetail =
    "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '_', '-' "
    "or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex "
    "used for validation is "
    "'_?[a-z0-9]([-_a-z0-9]*[a-z0-9])?(\\._?[a-z0-9]([-_a-z0-9]*[a-z0-9])?)*')";
constexpr std::string_view kQualifiedDetail =
    "must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an "
    "alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for "
    "validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')";
constexpr std::string_view kLabelValueDetail =
    "a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or "
    "'.', and must start and end with an alphanumeric character (e.g. 'MyValue',  or 'my_value',  "
    "or '12345', regex used for validation is '(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?')";
constexpr std::string_view kConfigKeyDetail =
    "a valid config key must consist of alphanumeric characters, '-', '_' or '.' (e.g. "
    "'key.name',  or 'KEY_NAME',  or 'key-name', regex used for validation is '[-._a-zA-Z0-9]+')";

bool is_digit(char c) {
  return c >= '0' && c <= '9';
}
bool is_lower(char c) {
  return (c >= 'a' && c <= 'z') || is_digit(c);
}
bool is_alnum(char c) {
  return is_lower(c) || (c >= 'A' && c <= 'Z');
}

// Whether the text is not empty, starts and ends with `edge`, and holds only `edge` and `extra`
// characters.
template <class Edge>
bool is_word(std::string_view value, Edge edge, std::string_view extra) {
  if (value.empty() || !edge(value.front()) || !edge(value.back())) return false;
  return std::all_of(value.begin(), value.end(),
                     [&](char c) { return edge(c) || extra.find(c) != extra.npos; });
}

bool is_label(std::string_view value) {
  return is_word(value, is_lower, "-");
}

template <class Part>
bool all_parts(std::string_view value, std::string_view separators, Part part) {
  while (true) {
    const std::size_t end = value.find_first_of(separators);
    if (!part(value.substr(0, end))) return false;
    if (end == value.npos) return true;
    value.remove_prefix(end + 1);
  }
}

bool is_subdomain(std::string_view value) {
  return all_parts(value, ".", is_label);
}

bool is_underscore_label(std::string_view value) {
  if (value.starts_with('_')) value.remove_prefix(1);
  return is_word(value, is_lower, "-_");
}

std::string too_many_characters(std::size_t most) {
  return "must be no more than " + std::to_string(most) + " characters";
}

// A decimal number up to 255; leading zeros are allowed.
bool is_octet(std::string_view text) {
  if (text.empty() || !std::all_of(text.begin(), text.end(), is_digit)) return false;
  int value = 0;
  for (const char c : text) {
    value = value * 10 + (c - '0');
    if (value > 255) return false;
  }
  return true;
}

bool is_hextet(std::string_view text) {
  return !text.empty() && text.size() <= 4 && std::all_of(text.begin(), text.end(), [](char c) {
    return is_digit(c) || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F');
  });
}

// Number of 16-bit groups in the colon-separated text, or `std::nullopt` if one is malformed. An
// IPv4 address may come last and counts as two.
std::optional<int> count_hextets(std::string_view text, bool may_end_in_ipv4) {
  if (text.empty()) return 0;
  int groups = 0;
  while (true) {
    const std::size_t end = text.find(':');
    const std::string_view part = text.substr(0, end);
    if (end == text.npos && may_end_in_ipv4 && is_ipv4(part)) return groups + 2;
    if (!is_hextet(part)) return std::nullopt;
    ++groups;
    if (end == text.npos) return groups;
    text.remove_prefix(end + 1);
  }
}

}  // namespace

Details dns1123_label(std::string_view value) {
  Details details;
  if (value.size() > kLabelBytes) details.push_back(too_many_characters(kLabelBytes));
  if (!is_label(value)) {
    const bool dotted = value.size() <= kSubdomainBytes && is_subdomain(value);
    details.emplace_back(dotted ? std::string_view("must not contain dots") : kLabelDetail);
  }
  return details;
}

Details dns1123_subdomain(std::string_view value) {
  Details details;
  if (value.size() > kSubdomainBytes) details.push_back(too_many_characters(kSubdomainBytes));
  if (!is_subdomain(value)) details.emplace_back(kSubdomainDetail);
  return details;
}

Details dns1123_subdomain_with_underscore(std::string_view value) {
  Details details;
  if (value.size() > kSubdomainBytes) details.push_back(too_many_characters(kSubdomainBytes));
  if (!all_parts(value, ".", is_underscore_label)) details.emplace_back(kUnderscoreSubdomainDetail);
  return details;
}

Details qualified_name(std::string_view value) {
  if (std::count(value.begin(), value.end(), '/') > 1) {
    return {"a valid label key " + std::string(kQualifiedDetail) +
            " with an optional DNS subdomain prefix and '/' (e.g. 'example.com/MyName')"};
  }
  Details details;
  std::string_view name = value;
  if (const std::size_t slash = value.find('/'); slash != value.npos) {
    const std::string_view prefix = value.substr(0, slash);
    name = value.substr(slash + 1);
    if (prefix.empty()) {
      details.emplace_back("prefix part must be non-empty");
    } else {
      for (const std::string& detail : dns1123_subdomain(prefix)) {
        details.push_back("prefix part " + detail);
      }
    }
  }
  if (name.empty()) {
    details.emplace_back("name part must be non-empty");
  } else if (name.size() > kLabelBytes) {
    details.emplace_back("name part must be no more than 63 bytes");
  }
  if (!is_word(name, is_alnum, "-_.")) {
    details.push_back("name part " + std::string(kQualifiedDetail));
  }
  return details;
}

Details label_value(std::string_view value) {
  Details details;
  if (value.size() > kLabelBytes) details.emplace_back("must be no more than 63 bytes");
  if (!value.empty() && !is_word(value, is_alnum, "-_.")) details.emplace_back(kLabelValueDetail);
  return details;
}

Details env_var_name(std::string_view value) {
  if (value.empty()) return {"environment variable name must be non-empty"};
  const bool plain = std::all_of(value.begin(), value.end(),
                                 [](char c) { return c >= 0x20 && c <= 0x7E && c != '='; });
  if (plain) return {};
  return {
      "a valid environment variable name must consist only of printable ASCII characters other "
      "than '='"};
}

Details config_map_key(std::string_view value) {
  Details details;
  if (value.size() > kSubdomainBytes) details.push_back(too_many_characters(kSubdomainBytes));
  const bool plain = !value.empty() && std::all_of(value.begin(), value.end(), [](char c) {
    return is_alnum(c) || c == '-' || c == '.' || c == '_';
  });
  if (!plain) details.emplace_back(kConfigKeyDetail);
  if (value == ".") {
    details.emplace_back("must not be '.'");
  } else if (value == "..") {
    details.emplace_back("must not be '..'");
  } else if (value.starts_with("..")) {
    details.emplace_back("must not start with '..'");
  }
  return details;
}

Details port_name(std::string_view value) {
  Details details;
  if (value.size() > kPortNameBytes) details.push_back(too_many_characters(kPortNameBytes));
  const bool plain = !value.empty() && std::all_of(value.begin(), value.end(),
                                                   [](char c) { return is_lower(c) || c == '-'; });
  if (!plain) {
    details.emplace_back("must contain only alpha-numeric characters (a-z, 0-9), and hyphens (-)");
  }
  if (std::none_of(value.begin(), value.end(), [](char c) { return c >= 'a' && c <= 'z'; })) {
    details.emplace_back("must contain at least one letter (a-z)");
  }
  if (value.find("--") != value.npos) {
    details.emplace_back("must not contain consecutive hyphens");
  }
  if (!value.empty() && (value.front() == '-' || value.back() == '-')) {
    details.emplace_back("must not begin or end with a hyphen");
  }
  return details;
}

Details port_number(std::int64_t value) {
  if (value >= 1 && value <= 65535) return {};
  return {"must be between 1 and 65535, inclusive"};
}

Details http_header_name(std::string_view value) {
  const bool plain = !value.empty() && std::all_of(value.begin(), value.end(),
                                                   [](char c) { return is_alnum(c) || c == '-'; });
  if (plain) return {};
  return {
      "a valid HTTP header must consist of alphanumeric characters or '-' (e.g. 'X-Header-Name', "
      "regex used for validation is '[-A-Za-z0-9]+')"};
}

Details percentage(std::string_view value) {
  const bool plain = value.size() >= 2 && value.back() == '%' &&
                     std::all_of(value.begin(), value.end() - 1, is_digit);
  if (plain) return {};
  return {
      "a valid percent string must be a numeric string followed by an ending '%' (e.g. '1%',  or "
      "'93%', regex used for validation is '[0-9]+%')"};
}

Details ip_address(std::string_view value) {
  if (is_ipv4(value) || is_ipv6(value)) return {};
  return {"must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)"};
}

Details cidr(std::string_view value) {
  const std::size_t slash = value.find('/');
  if (slash != value.npos) {
    const std::string_view address = value.substr(0, slash);
    const std::string_view bits = value.substr(slash + 1);
    const int most = is_ipv4(address) ? 32 : is_ipv6(address) ? 128 : -1;
    if (is_octet(bits) && bits.size() <= 3 && std::stoi(std::string(bits)) <= most) return {};
  }
  return {"must be a valid CIDR value, (e.g. 10.9.8.0/24 or 2001:db8::/64)"};
}

Details user_or_group_id(std::int64_t value) {
  if (value >= 0 && value <= kLargestId) return {};
  return {"must be between 0 and 2147483647, inclusive"};
}

std::string mask_trailing_dash(std::string_view value) {
  if (value.size() <= 1 || value.back() != '-') return std::string(value);
  return std::string(value.substr(0, value.size() - 2)) + "a";
}

bool is_sysctl_name(std::string_view value) {
  if (value.size() > kSubdomainBytes) return false;
  return all_parts(value, "./",
                   [](std::string_view part) { return is_word(part, is_lower, "-_"); });
}

bool is_ipv4(std::string_view value) {
  return std::count(value.begin(), value.end(), '.') == 3 && all_parts(value, ".", is_octet);
}

bool is_ipv6(std::string_view value) {
  const std::size_t gap = value.find("::");
  if (gap == value.npos) return count_hextets(value, true) == 8;
  const std::optional<int> front = count_hextets(value.substr(0, gap), false);
  const std::optional<int> back = count_hextets(value.substr(gap + 2), true);
  return front && back && *front + *back <= 7;
}

}  // namespace berth::api::grammar
