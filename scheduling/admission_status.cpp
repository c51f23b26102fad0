// SPDX-License-Identifier: Apache-2.0

#include "scheduling/admission_status.hpp"

namespace berth::scheduling {

AdmissionRefusal invalid_object(const std::string& kind, const std::string& name,
                                const api::FieldErrors& errors) {
  AdmissionRefusal refusal{
      .code = 422,
      .reason = "Invalid",
      .message = kind + " \"" + name + "\" is invalid: " + api::api_list(errors)};
  for (const api::FieldError& error : errors) {
    refusal.causes.push_back(AdmissionCause{.reason = std::string(api::reason_of(error.type)),
                                            .message = error.message(),
                                            .field = error.path});
  }
  return refusal;
}

AdmissionRefusal forbidden_object(const std::string& resource, const std::string& name,
                                  const std::string& why) {
  return AdmissionRefusal{.code = 403,
                          .reason = "Forbidden",
                          .message = resource + " \"" + name + "\" is forbidden: " + why};
}

AdmissionRefusal existing_object(const std::string& resource, const std::string& name) {
  return AdmissionRefusal{.code = 409,
                          .reason = "AlreadyExists",
                          .message = resource + " \"" + name + "\" already exists"};
}

}  // namespace berth::scheduling
