// The pod that is to be placed, as the API server would have taken it: defaulted, its label keys
// merged, validated, its priority resolved.
//
// Pure. What the API would refuse is refused in its words, each problem at its place and, where the
// words alone do not help, with the way out.
#pragma once

#include <expected>
#include <string>
#include <vector>

#include "scheduling/explain/read_objects.hpp"

namespace berth::scheduling {

struct PodQuestion {
  api::Pod pod{};
  std::vector<std::string> notes{};  // what was changed for the question
};

// Where the pod is: in a file of its own, or with the objects of the cluster.
enum class PodAmong : std::uint8_t { kStated, kObjects };

struct PodChoice {
  std::string name{};        // NAME or NAMESPACE/NAME; may be empty if there is one only
  std::string file{};        // what problems call its file
  std::string namespace_{};  // of a pod that states none
  PodAmong among = PodAmong::kStated;
};

[[nodiscard]] std::expected<PodQuestion, std::vector<InputProblem>> ask_about(
    const ReadObjects& read, const PodChoice& choice);

// What to do about what the API says of a pod's placement; empty where its words say it.
[[nodiscard]] std::string way_out_of(const api::FieldError& error);

}  // namespace berth::scheduling
