// SPDX-License-Identifier: Apache-2.0

// How admission refuses: the HTTP code, reason and message of the Kubernetes API.
//
// Values only.
#pragma once

#include <string>
#include <vector>

#include "api/field_error.hpp"

namespace berth::scheduling {

struct AdmissionCause {
  std::string reason{};   // FieldValueForbidden, ...
  std::string message{};  // the error without its path
  std::string field{};

  bool operator==(const AdmissionCause&) const = default;
};

struct AdmissionRefusal {
  int code = 0;          // 403, 409, 422
  std::string reason{};  // Forbidden, AlreadyExists, Invalid
  std::string message{};
  std::vector<AdmissionCause> causes{};

  bool operator==(const AdmissionRefusal&) const = default;
};

// 422, for an object that violates rules of its fields; `kind` with its group: "Pod",
// "PriorityClass.scheduling.k8s.io".
[[nodiscard]] AdmissionRefusal invalid_object(const std::string& kind, const std::string& name,
                                              const api::FieldErrors& errors);
// 403; `resource` with its group: "pods", "priorityclasses.scheduling.k8s.io".
[[nodiscard]] AdmissionRefusal forbidden_object(const std::string& resource,
                                                const std::string& name, const std::string& why);
// 409.
[[nodiscard]] AdmissionRefusal existing_object(const std::string& resource,
                                               const std::string& name);

}  // namespace berth::scheduling
