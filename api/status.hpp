// SPDX-License-Identifier: Apache-2.0

// The API's answer when it does not return the object itself: Status (meta/v1).
//
// Plain aggregates with the field names of the Kubernetes API. No logic.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace berth::api {

struct StatusCause {
  std::string reason{};   // FieldValueInvalid, DisruptionBudget, ...
  std::string message{};  // for a person
  std::string field{};    // the field's path, if the cause concerns a field

  bool operator==(const StatusCause&) const = default;
};

struct StatusDetails {
  std::string name{};
  std::string group{};
  std::string kind{};
  std::string uid{};
  std::vector<StatusCause> causes{};
  std::int32_t retryAfterSeconds = 0;  // 0: unset

  bool operator==(const StatusDetails&) const = default;
};

struct Status {
  std::string kind{};
  std::string apiVersion{};
  std::string status{};  // Success or Failure
  std::string message{};
  std::string reason{};
  std::optional<StatusDetails> details{};
  std::int32_t code = 0;  // HTTP status code

  bool operator==(const Status&) const = default;
};

}  // namespace berth::api
