// SPDX-License-Identifier: Apache-2.0

#include "base/rpc_error.hpp"

#include <algorithm>
#include <array>

namespace berth {
namespace {

constexpr std::string_view kError = "rpc error: code = ";
constexpr std::string_view kDescription = " desc = ";

bool is_letter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

// Where "rpc error:" begins; npos if the text has another form.
std::size_t error_place(std::string_view text) {
  if (text.starts_with(kError)) return 0;
  const std::size_t colon = text.find(": ");
  if (colon == text.npos || !text.substr(colon + 2).starts_with(kError)) return text.npos;
  const std::string_view call = text.substr(0, colon);
  return std::all_of(call.begin(), call.end(), is_letter) ? colon + 2 : text.npos;
}

}  // namespace

std::string rpc_code_name(int code) {
  constexpr auto kNames = std::to_array<std::string_view>(
      {"OK", "Canceled", "Unknown", "InvalidArgument", "DeadlineExceeded", "NotFound",
       "AlreadyExists", "PermissionDenied", "ResourceExhausted", "FailedPrecondition", "Aborted",
       "OutOfRange", "Unimplemented", "Internal", "Unavailable", "DataLoss", "Unauthenticated"});
  const auto index = static_cast<std::size_t>(code);
  return index < kNames.size() ? std::string(kNames[index]) : "Code(" + std::to_string(code) + ")";
}

std::string rpc_error_text(std::string_view call, int code, std::string_view description) {
  std::string text(call);
  text += ": ";
  text += kError;
  text += rpc_code_name(code);
  text += kDescription;
  return text += description;
}

std::string_view without_call(std::string_view text) {
  const std::size_t place = error_place(text);
  return place == text.npos ? text : text.substr(place);
}

std::string_view rpc_description(std::string_view text) {
  if (error_place(text) == text.npos) return text;
  const std::size_t place = text.find(kDescription);
  return place == text.npos ? text : text.substr(place + kDescription.size());
}

std::string_view without_unknown(std::string_view text) {
  const std::string_view error = without_call(text);
  const bool unknown =
      error_place(text) != text.npos &&
      error.substr(kError.size()).starts_with("Unknown" + std::string(kDescription));
  return unknown ? rpc_description(text) : error;
}

}  // namespace berth
