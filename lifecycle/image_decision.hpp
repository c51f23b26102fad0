// SPDX-License-Identifier: Apache-2.0

// Whether a container's image is pulled, used as it is there, or refused: imagePullPolicy.
//
// Always: pull. IfNotPresent: pull what is absent. Never: refuse what is absent. Pure.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "api/pod.hpp"
#include "base/ref_or_value.hpp"
#include "lifecycle/reasons.hpp"

namespace berth::lifecycle {

enum class PullDecision : std::uint8_t { kUsePresent, kPull, kRefuse };

[[nodiscard]] PullDecision decide_pull(std::string_view policy, bool present);
// Whether the policy wants to know at all if the image is there.
[[nodiscard]] bool asks_presence(std::string_view policy);

struct ImageQuestion {
  RefOrValue<api::Pod> pod{};  // whose it is; decides nothing
  std::string container{};     // likewise
  std::string image{};
  std::string policy{};
  bool present = false;  // as far as the policy asks for it
};

struct ImageDecision {
  PullDecision pull = PullDecision::kUsePresent;

  bool operator==(const ImageDecision&) const = default;
};

[[nodiscard]] ImageDecision decide_image(const ImageQuestion& question);

// Why, as a clause; of a refusal in the kubelet's words.
[[nodiscard]] Reason image_reason(const ImageQuestion& question, const ImageDecision& decision);

}  // namespace berth::lifecycle
