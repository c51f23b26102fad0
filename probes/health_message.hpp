// The two messages of grpc.health.v1, as bytes: too small to generate code for.
//
// HealthCheckRequest { string service = 1; }, HealthCheckResponse { ServingStatus status = 1; }.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace berth::probes {

inline constexpr std::int32_t kServing = 1;

[[nodiscard]] std::string write_check_request(std::string_view service);

// 0 (UNKNOWN) for what is no such message.
[[nodiscard]] std::int32_t read_serving_status(std::string_view bytes);

// "NOT_SERVING"; the number for what has no name.
[[nodiscard]] std::string serving_status_name(std::int32_t status);

// "Unavailable": a status code as Go's gRPC prints it.
[[nodiscard]] std::string status_code_name(int code);

}  // namespace berth::probes
