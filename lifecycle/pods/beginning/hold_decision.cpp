// SPDX-License-Identifier: Apache-2.0

#include "lifecycle/pods/beginning/hold_decision.hpp"

#include <fmt/format.h>

#include "lifecycle/pod_spec.hpp"
#include "lifecycle/unsupported.hpp"

namespace berth::lifecycle {
namespace {

constexpr std::string_view kDiedTwice =
    "berthd has died twice in a row while it handled this pod, and does not try a third time: edit "
    "its manifest, or restart berthd to try again";

// Leaves out everything that reveals what the container does.
template <class AnyContainer>
AnyContainer hold_part(const AnyContainer& container) {
  AnyContainer part;
  part.name = container.name;
  part.env = container.env;
  for (api::EnvVar& variable : part.env) variable.value.clear();
  part.resources = container.resources;
  part.volumeMounts = container.volumeMounts;
  part.volumeDevices = container.volumeDevices;
  return part;
}

}  // namespace

HoldDecision decide_hold(const HoldQuestion& question) {
  const api::Pod& pod = question.pod;
  if (!question.no_sandboxes.empty())
    return {.cause = HoldCause::kNoSandboxes, .message = question.no_sandboxes};
  if (!question.network_error.empty() && !pod.spec.hostNetwork)
    return {.cause = HoldCause::kNoNetwork,
            .message = "network is not ready: " + question.network_error};
  if (question.deadly) return {.cause = HoldCause::kBerthdDied, .message = std::string(kDiedTwice)};
  // A pod with a verdict stays as it was shown.
  if (question.judged) return {};
  if (const auto fields = unsupported_fields(pod); !fields.empty())
    return {.cause = HoldCause::kUnsupported, .message = unsupported_message(fields)};
  const std::string& wanted = pod.spec.nodeName;
  if (wanted.empty() || wanted == question.node_name) return {};
  return {.cause = HoldCause::kOtherNode,
          .message = fmt::format("spec.nodeName asks for node \"{}\"; this is node \"{}\"", wanted,
                                 question.node_name)};
}

std::string_view hold_word(HoldCause cause) {
  switch (cause) {
    case HoldCause::kBerthdDied:
      return "BerthdDied";
    case HoldCause::kUnsupported:
      return kNotSupported;
    case HoldCause::kOtherNode:
      return "NodeName";
    case HoldCause::kNone:
    case HoldCause::kNoSandboxes:  // these two are reported by an event; the status is unchanged
    case HoldCause::kNoNetwork:
      break;
  }
  return "";
}

api::Pod hold_part(const api::Pod& pod) {
  api::Pod part = named_part(pod);
  part.spec = pod.spec;
  for (auto* containers : {&part.spec.initContainers, &part.spec.containers})
    for (api::Container& container : *containers) container = hold_part(container);
  for (auto& container : part.spec.ephemeralContainers) container = hold_part(container);
  return part;
}

}  // namespace berth::lifecycle
