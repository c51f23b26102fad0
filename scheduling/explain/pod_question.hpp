// SPDX-License-Identifier: Apache-2.0

// The pod to be placed, as the API server would have accepted it: defaulted, its label keys merged,
// validated, its priority resolved.
//
// Pure. What the API would refuse is refused with the API's message, each problem with its position
// and, if the message alone does not help, with a way to resolve it.
#pragma once

#include <expected>
#include <string>
#include <vector>

#include "scheduling/explain/read_objects.hpp"

namespace berth::scheduling {

struct PodQuestion {
  api::Pod pod{};
  std::vector<std::string> notes{};  // what was changed in the pod for the question
};

// Where the pod is stated: in a file of its own, or among the objects of the cluster.
enum class PodAmong : std::uint8_t { kStated, kObjects };

struct PodChoice {
  std::string name{};        // NAME or NAMESPACE/NAME; may be empty if there is only one
  std::string file{};        // its file's name in problems
  std::string namespace_{};  // for a pod without one
  PodAmong among = PodAmong::kStated;
};

[[nodiscard]] std::expected<PodQuestion, std::vector<InputProblem>> ask_about(
    const ReadObjects& read, const PodChoice& choice);

// How to resolve an API error about a pod's placement; empty if its message states it.
[[nodiscard]] std::string way_out_of(const api::FieldError& error);

}  // namespace berth::scheduling
