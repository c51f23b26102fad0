// SPDX-License-Identifier: Apache-2.0

#include "api/brief_text.hpp"

#include <algorithm>

#include "base/text.hpp"

namespace berth::api {
namespace {

constexpr std::string_view kCut = "…";

// Position of the quote that closes the one at `begin`; npos if there is none.
std::size_t closing_quote(std::string_view text, std::size_t begin) {
  for (std::size_t at = begin + 1; at < text.size(); ++at) {
    if (text[at] == '\\')
      ++at;
    else if (text[at] == '"')
      return at;
  }
  return std::string_view::npos;
}

std::string with_short_quotes(std::string_view text) {
  std::string out;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t open = std::min(text.find('"', at), text.size());
    out += text.substr(at, open - at);
    if (open == text.size()) break;
    const std::size_t close = closing_quote(text, open);
    if (close == std::string_view::npos) {
      out += text.substr(open);
      break;
    }
    const std::string_view value = text.substr(open + 1, close - open - 1);
    out += '"';
    out += first_bytes(value, kLongestQuote);
    if (value.size() > kLongestQuote)
      out += std::string(kCut) + "\" (" + std::to_string(value.size()) + " bytes)";
    else
      out += '"';
    at = close + 1;
  }
  return out;
}

}  // namespace

std::string brief(std::string_view message) {
  if (message.size() <= kLongestQuote) return std::string(message);
  std::string text = with_short_quotes(message);
  if (text.size() <= kLongestMessage) return text;
  return std::string(first_bytes(text, kLongestMessage)) + std::string(kCut);
}

}  // namespace berth::api
