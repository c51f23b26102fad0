// The answers of the Kubernetes API that are no object: success, and its ways to refuse.
//
// Pure. Codes, reasons and words are the API server's, v1.34. Where an argument is a resource or a
// kind and has a group, that comes as a GroupName.
#pragma once

#include <cstdint>
#include <string>

#include "api/field_error.hpp"
#include "api/status.hpp"

namespace berth::scheduling {

// "poddisruptionbudget" of group "policy"; the group of core things is empty.
struct GroupName {
  std::string name{};
  std::string group{};

  // With its group behind a dot.
  [[nodiscard]] std::string qualified() const { return group.empty() ? name : name + "." + group; }
};

[[nodiscard]] api::Status created_status();                                // 201
[[nodiscard]] api::Status bad_request_status(const std::string& message);  // 400
[[nodiscard]] api::Status forbidden_status(const GroupName& resource, const std::string& name,
                                           const std::string& why);  // 403
[[nodiscard]] api::Status not_found_status(const GroupName& resource, const std::string& name);
// 409: the object is not what the request supposes.
[[nodiscard]] api::Status conflict_status(const GroupName& resource, const std::string& name,
                                          const std::string& why);
[[nodiscard]] api::Status invalid_status(const GroupName& kind, const std::string& name,
                                         const api::FieldErrors& errors);  // 422
// 429; `retry_after` in seconds, 0: not said.
[[nodiscard]] api::Status too_many_requests_status(const std::string& message,
                                                   std::int32_t retry_after);
// 500 without a reason, which is how an error of no known kind is answered.
[[nodiscard]] api::Status plain_error_status(const std::string& message);
// 504; `retry_after` in seconds.
[[nodiscard]] api::Status timeout_status(const std::string& message, std::int32_t retry_after);

}  // namespace berth::scheduling
