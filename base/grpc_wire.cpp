// SPDX-License-Identifier: Apache-2.0

#include "base/grpc_wire.hpp"

#include <array>
#include <charconv>

namespace berth {
namespace {

constexpr std::size_t kPrefixBytes = 5;  // compression flag and length

constexpr std::uint32_t kRefusedStream = 0x7;
constexpr std::uint32_t kCancel = 0x8;
constexpr std::uint32_t kEnhanceYourCalm = 0xb;
constexpr std::uint32_t kInadequateSecurity = 0xc;

std::string percent_decoded(std::string_view text) {
  std::string decoded;
  for (std::size_t i = 0; i < text.size(); ++i) {
    unsigned value = 0;
    const char* digits = text.data() + i + 1;
    const bool escape = text[i] == '%' && i + 2 < text.size() &&
                        std::from_chars(digits, digits + 2, value, 16).ptr == digits + 2;
    decoded += escape ? static_cast<char>(value) : text[i];
    if (escape) i += 2;
  }
  return decoded;
}

// For an answer that was sent by an intermediary between us and the gRPC server.
grpc::StatusCode code_of_http(int status) {
  switch (status) {
    case 400:
      return grpc::StatusCode::INTERNAL;
    case 401:
      return grpc::StatusCode::UNAUTHENTICATED;
    case 403:
      return grpc::StatusCode::PERMISSION_DENIED;
    case 404:
      return grpc::StatusCode::UNIMPLEMENTED;
    case 429:
    case 502:
    case 503:
    case 504:
      return grpc::StatusCode::UNAVAILABLE;
    default:
      return grpc::StatusCode::UNKNOWN;
  }
}

// "application/grpc", optionally with a suffix.
bool is_grpc(const std::optional<std::string>& content_type) {
  constexpr std::string_view kType = "application/grpc";
  if (!content_type || !content_type->starts_with(kType)) return false;
  return content_type->size() == kType.size() || content_type->at(kType.size()) == '+' ||
         content_type->at(kType.size()) == ';';
}

}  // namespace

std::string framed(std::string_view message) {
  std::string bytes(kPrefixBytes, '\0');
  for (std::size_t i = 1; i < kPrefixBytes; ++i) {
    bytes[i] = static_cast<char>(message.size() >> (8 * (kPrefixBytes - 1 - i)) & 0xff);
  }
  bytes += message;
  return bytes;
}

void MessageReader::take(std::string_view bytes) {
  if (2 * at_ >= bytes_.size()) {
    bytes_.erase(0, at_);
    at_ = 0;
  }
  bytes_.append(bytes);
}

std::optional<std::string> MessageReader::next() {
  if (failure_ || bytes_.size() - at_ < kPrefixBytes) return std::nullopt;
  if (bytes_[at_] != 0) {
    failure_ = {grpc::StatusCode::INTERNAL, "a compressed message, which was not asked for"};
    return std::nullopt;
  }
  std::size_t length = 0;
  for (std::size_t i = 1; i < kPrefixBytes; ++i) {
    length = length << 8 | static_cast<unsigned char>(bytes_[at_ + i]);
  }
  if (length > bytes_max_) {
    failure_ = {grpc::StatusCode::RESOURCE_EXHAUSTED, "a message of " + std::to_string(length) +
                                                          " bytes, more than " +
                                                          std::to_string(bytes_max_)};
    return std::nullopt;
  }
  if (bytes_.size() - at_ < kPrefixBytes + length) return std::nullopt;
  std::string message = bytes_.substr(at_ + kPrefixBytes, length);
  at_ += kPrefixBytes + length;
  return message;
}

std::string timeout_text(Nanoseconds limit) {
  constexpr std::array<char, 6> kUnits = {'n', 'u', 'm', 'S', 'M', 'H'};
  constexpr std::array<std::int64_t, 6> kSteps = {1000, 1000, 1000, 60, 60, 1};
  constexpr std::int64_t kMax = 99'999'999;  // 8 digits
  std::int64_t count = limit.count();
  std::size_t unit = 0;
  // Rounded up, so that the server gives up no earlier than we do.
  for (; count > kMax && unit + 1 < kUnits.size(); ++unit) {
    count = (count + kSteps[unit] - 1) / kSteps[unit];
  }
  return std::to_string(count) + kUnits[unit];
}

grpc::Status status_of(const EndOfCall& end) {
  constexpr unsigned kHighestCode = grpc::StatusCode::UNAUTHENTICATED;
  if (end.http_status == 200 && !is_grpc(end.content_type)) {
    return {grpc::StatusCode::UNKNOWN, end.content_type
                                           ? "the answer is " + *end.content_type + ", not gRPC"
                                           : "the answer does not say that it is gRPC"};
  }
  if (end.grpc_status) {
    const std::string& text = *end.grpc_status;
    unsigned code = 0;  // digits only: "-0" is no success
    const auto read = std::from_chars(text.data(), text.data() + text.size(), code);
    if (text.empty() || read.ec != std::errc() || read.ptr != text.data() + text.size()) {
      return {grpc::StatusCode::UNKNOWN, "the answer's grpc-status cannot be read: " + text};
    }
    if (code > kHighestCode) {
      return {grpc::StatusCode::UNKNOWN,
              "the answer has grpc-status " + text + ": " + percent_decoded(end.grpc_message)};
    }
    return {static_cast<grpc::StatusCode>(code), percent_decoded(end.grpc_message)};
  }
  if (end.http_status == 200) return {grpc::StatusCode::UNKNOWN, "the answer has no grpc-status"};
  return {code_of_http(end.http_status),
          "no gRPC server answered, but HTTP status " + std::to_string(end.http_status)};
}

grpc::Status status_of_reset(std::uint32_t error_code) {
  const std::string text = "the stream was reset, error " + std::to_string(error_code);
  switch (error_code) {
    case kRefusedStream:
      return {grpc::StatusCode::UNAVAILABLE, text};
    case kCancel:
      return {grpc::StatusCode::CANCELLED, text};
    case kEnhanceYourCalm:
      return {grpc::StatusCode::RESOURCE_EXHAUSTED, text};
    case kInadequateSecurity:
      return {grpc::StatusCode::PERMISSION_DENIED, text};
    default:
      return {grpc::StatusCode::INTERNAL, text};
  }
}

}  // namespace berth
