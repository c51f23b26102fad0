// SPDX-License-Identifier: Apache-2.0

// Status answers of the Kubernetes API: success, and the kinds of refusal.
//
// Pure. Codes, reasons and messages are the API server's, v1.34. A resource or kind with a group is
// passed as a GroupName.
#pragma once

#include <cstdint>
#include <string>

#include "api/field_error.hpp"
#include "api/status.hpp"

namespace berth::scheduling {

// "poddisruptionbudget" in the group "policy"; the core group is empty.
struct GroupName {
  std::string name{};
  std::string group{};

  // The name with its group after a dot.
  [[nodiscard]] std::string qualified() const { return group.empty() ? name : name + "." + group; }
};

[[nodiscard]] api::Status created_status();                                // 201
[[nodiscard]] api::Status bad_request_status(const std::string& message);  // 400
[[nodiscard]] api::Status forbidden_status(const GroupName& resource, const std::string& name,
                                           const std::string& why);  // 403
[[nodiscard]] api::Status not_found_status(const GroupName& resource, const std::string& name);
// 409: the object is not in the state that the request requires.
[[nodiscard]] api::Status conflict_status(const GroupName& resource, const std::string& name,
                                          const std::string& why);
[[nodiscard]] api::Status invalid_status(const GroupName& kind, const std::string& name,
                                         const api::FieldErrors& errors);  // 422
// 429; `retry_after` in seconds, 0: unset.
[[nodiscard]] api::Status too_many_requests_status(const std::string& message,
                                                   std::int32_t retry_after);
// 500 without a reason, the answer to an unclassified error.
[[nodiscard]] api::Status plain_error_status(const std::string& message);
// 504; `retry_after` in seconds.
[[nodiscard]] api::Status timeout_status(const std::string& message, std::int32_t retry_after);

}  // namespace berth::scheduling
