// SPDX-License-Identifier: Apache-2.0

#include "scheduling/disruption/api_status.hpp"

#include <utility>

#include "scheduling/admission_status.hpp"

namespace berth::scheduling {
namespace {

api::Status failure(std::int32_t code, const char* reason, std::string message) {
  return {.status = "Failure", .message = std::move(message), .reason = reason, .code = code};
}

api::StatusDetails details_of(const GroupName& about, const std::string& name) {
  return {.name = name, .group = about.group, .kind = about.name};
}

}  // namespace

api::Status created_status() {
  return {.status = "Success", .code = 201};
}

api::Status bad_request_status(const std::string& message) {
  return failure(400, "BadRequest", message);
}

api::Status forbidden_status(const GroupName& resource, const std::string& name,
                             const std::string& why) {
  const AdmissionRefusal refusal = forbidden_object(resource.qualified(), name, why);
  api::Status status = failure(refusal.code, "Forbidden", refusal.message);
  status.details = details_of(resource, name);
  return status;
}

api::Status not_found_status(const GroupName& resource, const std::string& name) {
  api::Status status =
      failure(404, "NotFound", resource.qualified() + " \"" + name + "\" not found");
  status.details = details_of(resource, name);
  return status;
}

api::Status conflict_status(const GroupName& resource, const std::string& name,
                            const std::string& why) {
  api::Status status = failure(
      409, "Conflict",
      "Operation cannot be fulfilled on " + resource.qualified() + " \"" + name + "\": " + why);
  status.details = details_of(resource, name);
  return status;
}

api::Status invalid_status(const GroupName& kind, const std::string& name,
                           const api::FieldErrors& errors) {
  const AdmissionRefusal refusal = invalid_object(kind.qualified(), name, errors);
  api::Status status = failure(refusal.code, "Invalid", refusal.message);
  status.details = details_of(kind, name);
  for (const AdmissionCause& cause : refusal.causes) {
    status.details->causes.push_back(
        {.reason = cause.reason, .message = cause.message, .field = cause.field});
  }
  return status;
}

api::Status too_many_requests_status(const std::string& message, std::int32_t retry_after) {
  api::Status status = failure(429, "TooManyRequests", message);
  status.details = api::StatusDetails{.retryAfterSeconds = retry_after};
  return status;
}

api::Status plain_error_status(const std::string& message) {
  return failure(500, "", message);
}

api::Status timeout_status(const std::string& message, std::int32_t retry_after) {
  api::Status status = failure(504, "Timeout", "Timeout: " + message);
  status.details = api::StatusDetails{.retryAfterSeconds = retry_after};
  return status;
}

}  // namespace berth::scheduling
