// SPDX-License-Identifier: Apache-2.0

#include "lifecycle/image_decision.hpp"

#include <fmt/format.h>

namespace berth::lifecycle {

PullDecision decide_pull(std::string_view policy, bool present) {
  if (policy == "Always") return PullDecision::kPull;
  if (present) return PullDecision::kUsePresent;
  return policy == "Never" ? PullDecision::kRefuse : PullDecision::kPull;
}

bool asks_presence(std::string_view policy) {
  return policy != "Always";
}

ImageDecision decide_image(const ImageQuestion& question) {
  return {.pull = decide_pull(question.policy, question.present)};
}

Reason image_reason(const ImageQuestion& question, const ImageDecision& decision) {
  const std::string policy = "imagePullPolicy " + question.policy;
  switch (decision.pull) {
    case PullDecision::kUsePresent:
      return {.subject = question.container,
              .rule = "ImagePresent",
              .text = fmt::format("its image {} is present ({})", question.image, policy)};
    case PullDecision::kPull:
      return {
          .subject = question.container,
          .rule = "ImagePull",
          .text = fmt::format("its image {} is pulled: {}{}", question.image,
                              asks_presence(question.policy) ? "it is not present, " : "", policy)};
    case PullDecision::kRefuse:
      break;
  }
  return {.subject = question.container,
          .rule = std::string(kErrImageNeverPull),
          .text = fmt::format("Container image \"{}\" is not present with pull policy of Never",
                              question.image)};
}

}  // namespace berth::lifecycle
