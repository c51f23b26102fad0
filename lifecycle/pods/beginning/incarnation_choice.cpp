// SPDX-License-Identifier: Apache-2.0

#include "lifecycle/pods/beginning/incarnation_choice.hpp"

#include <algorithm>

#include <fmt/format.h>

namespace berth::lifecycle {
namespace {

std::string begins(std::uint32_t incarnation) {
  return fmt::format("incarnation {} begins", incarnation);
}

Reason reason_at_first_reading(const IncarnationQuestion& question,
                               const IncarnationChoice& choice) {
  const FoundIncarnation* newest = newest_of(question.found);
  if (newest == nullptr)
    return {.rule = "FirstIncarnation", .text = "no earlier incarnation of this manifest is known"};
  if (choice.continues.empty())
    return {.rule = "NextIncarnation",
            .text = fmt::format("incarnation {} had ended when berthd started, so {}",
                                newest->incarnation, begins(choice.incarnation))};
  if (choice.adopted)
    return {.rule = "Adopted",
            .text =
                "a kubelet had left it running, with the containers that the manifest states, "
                "so it continues under the kubelet's uid"};
  return {.rule = "Continues",
          .text = fmt::format("incarnation {} had not ended when berthd started, so it continues",
                              choice.incarnation)};
}

}  // namespace

const FoundIncarnation* newest_of(const std::vector<FoundIncarnation>& found) {
  const auto newest = std::ranges::max_element(found, {}, &FoundIncarnation::incarnation);
  return newest == found.end() ? nullptr : &*newest;
}

IncarnationChoice choose_incarnation(const IncarnationQuestion& question) {
  if (question.cause != IncarnationCause::kFirstRead) return {.incarnation = question.before + 1};
  const FoundIncarnation* newest = newest_of(question.found);
  if (newest == nullptr) return {};
  if (newest->over) return {.incarnation = newest->incarnation + 1};
  return {.incarnation = newest->incarnation,
          .continues = newest->uid,
          .adopted = newest->from_kubelet};
}

Reason incarnation_reason(const IncarnationQuestion& question, const IncarnationChoice& choice) {
  Reason reason;
  switch (question.cause) {
    case IncarnationCause::kFirstRead:
      reason = reason_at_first_reading(question, choice);
      break;
    case IncarnationCause::kReturned:
      reason = {.rule = "NextIncarnation",
                .text = "its manifest was removed and is back, so " + begins(choice.incarnation)};
      break;
    case IncarnationCause::kEnded:
      reason = {.rule = "NextIncarnation",
                .text = fmt::format("incarnation {} has ended and its manifest remains, so {}",
                                    question.before, begins(choice.incarnation))};
      break;
  }
  reason.subject = "pod";
  return reason;
}

}  // namespace berth::lifecycle
