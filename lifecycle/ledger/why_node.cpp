// SPDX-License-Identifier: Apache-2.0

#include "lifecycle/ledger/why_node.hpp"

#include <string>

#include <fmt/format.h>

#include "lifecycle/ledger/why_words.hpp"

namespace berth::lifecycle {
namespace {

std::string since_text(const api::NodeCondition& condition, WallTime now) {
  if (!condition.lastTransitionTime) return "";
  return " since " + clock_text(condition.lastTransitionTime->at, now);
}

// Each condition that is not as it should be: Ready if it does not hold, all others if they do.
std::string present_text(const api::Node& node, WallTime now) {
  std::string ready = "Whether the node is ready is not known yet.";
  std::string others;
  for (const api::NodeCondition& condition : node.status.conditions) {
    const std::string since = since_text(condition, now);
    const bool holds = condition.status == "True";
    if (condition.type == "Ready")
      ready = holds ? fmt::format("The node is ready{}.", since)
                    : fmt::format("The node is not ready{}: {}.", since, condition.message);
    else if (holds)
      others += fmt::format(" {}{}: {}.", condition.type, since, condition.message);
  }
  return ready + others;
}

std::string images_text(const NodeWhyInput& input) {
  const node::ImageGcPolicy& policy = input.images;
  if (node::image_gc_disabled(policy))
    return "Unused images are removed only under disk pressure (imageGCHighThresholdPercent 100).";
  const bool by_space = policy.high_percent < 100;
  const bool by_age = policy.max_age > Nanoseconds::zero();
  std::string when;
  if (by_space)
    when = fmt::format("once their file system is {} % full, until it is {} % full",
                       policy.high_percent, policy.low_percent);
  if (by_space && by_age) when += ", or ";
  if (by_age) when += fmt::format("when they have been unused for {}", span_text(policy.max_age));
  return fmt::format("berthd looks for unused images every {}, and removes them {}.",
                     span_text(input.image_period), when);
}

}  // namespace

Why why_node(const NodeWhyInput& input) {
  return {.present = present_text(input.node, input.now),
          .happened = why({.records = input.records, .now = input.now}).happened,
          .coming = {images_text(input)}};
}

}  // namespace berth::lifecycle
