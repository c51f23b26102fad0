// SPDX-License-Identifier: Apache-2.0

// Whether a container's image is pulled, used as present on the node, or refused: imagePullPolicy.
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
// Whether the policy depends on the presence of the image at all.
[[nodiscard]] bool asks_presence(std::string_view policy);

struct ImageQuestion {
  RefOrValue<api::Pod> pod{};  // the image's pod; decides nothing
  std::string container{};     // likewise
  std::string image{};
  std::string policy{};
  bool present = false;  // only looked up if the policy depends on it
};

struct ImageDecision {
  PullDecision pull = PullDecision::kUsePresent;

  bool operator==(const ImageDecision&) const = default;
};

[[nodiscard]] ImageDecision decide_image(const ImageQuestion& question);

// Why, as a clause; a refusal is in the kubelet's words.
[[nodiscard]] Reason image_reason(const ImageQuestion& question, const ImageDecision& decision);

}  // namespace berth::lifecycle
