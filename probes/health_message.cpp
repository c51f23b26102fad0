#include "probes/health_message.hpp"

#include <array>
#include <optional>

namespace berth::probes {
namespace {

constexpr std::uint8_t kServiceTag = 0x0A;  // field 1, length-delimited
constexpr std::uint8_t kStatusTag = 0x08;   // field 1, varint

void write_varint(std::string& out, std::uint64_t value) {
  while (value >= 0x80) {
    out += static_cast<char>((value & 0x7FU) | 0x80U);
    value >>= 7U;
  }
  out += static_cast<char>(value);
}

std::optional<std::uint64_t> take_varint(std::string_view& bytes) {
  std::uint64_t value = 0;
  for (unsigned shift = 0; shift < 64 && !bytes.empty(); shift += 7) {
    const auto byte = static_cast<std::uint8_t>(bytes.front());
    bytes.remove_prefix(1);
    value |= static_cast<std::uint64_t>(byte & 0x7FU) << shift;
    if ((byte & 0x80U) == 0) return value;
  }
  return std::nullopt;
}

// Passes over a field that is not ours.
bool skip_field(std::string_view& bytes, std::uint64_t tag) {
  std::uint64_t size = 0;
  switch (tag & 7U) {
    case 0:
      return take_varint(bytes).has_value();
    case 1:
      size = 8;
      break;
    case 2: {
      const auto length = take_varint(bytes);
      if (!length) return false;
      size = *length;
      break;
    }
    case 5:
      size = 4;
      break;
    default:
      return false;
  }
  if (size > bytes.size()) return false;
  bytes.remove_prefix(size);
  return true;
}

}  // namespace

std::string write_check_request(std::string_view service) {
  std::string out;
  if (service.empty()) return out;
  out += static_cast<char>(kServiceTag);
  write_varint(out, service.size());
  out += service;
  return out;
}

std::int32_t read_serving_status(std::string_view bytes) {
  std::int32_t status = 0;
  while (!bytes.empty()) {
    const auto tag = take_varint(bytes);
    if (!tag) return 0;
    if (*tag != kStatusTag) {
      if (!skip_field(bytes, *tag)) return 0;
      continue;
    }
    const auto value = take_varint(bytes);
    if (!value) return 0;
    status = static_cast<std::int32_t>(*value);
  }
  return status;
}

std::string serving_status_name(std::int32_t status) {
  constexpr auto kNames =
      std::to_array<std::string_view>({"UNKNOWN", "SERVING", "NOT_SERVING", "SERVICE_UNKNOWN"});
  const auto index = static_cast<std::size_t>(status);
  return index < kNames.size() ? std::string(kNames[index]) : std::to_string(status);
}

std::string status_code_name(int code) {
  constexpr auto kNames = std::to_array<std::string_view>(
      {"OK", "Canceled", "Unknown", "InvalidArgument", "DeadlineExceeded", "NotFound",
       "AlreadyExists", "PermissionDenied", "ResourceExhausted", "FailedPrecondition", "Aborted",
       "OutOfRange", "Unimplemented", "Internal", "Unavailable", "DataLoss", "Unauthenticated"});
  const auto index = static_cast<std::size_t>(code);
  return index < kNames.size() ? std::string(kNames[index]) : "Code(" + std::to_string(code) + ")";
}

}  // namespace berth::probes
