// SPDX-License-Identifier: Apache-2.0

// Our enums use CRI's numbers: static proof of that, and the conversion back from unknown numbers.
#pragma once

#include "cri/cri.pb.h"
#include "cri/types.hpp"

namespace berth::cri {

#define BERTH_SAME(ours, theirs) \
  static_assert(static_cast<int>(ours) == static_cast<int>(runtime::v1::theirs))
BERTH_SAME(NamespaceMode::kPod, POD);
BERTH_SAME(NamespaceMode::kContainer, CONTAINER);
BERTH_SAME(NamespaceMode::kNode, NODE);
BERTH_SAME(NamespaceMode::kTarget, TARGET);
BERTH_SAME(Propagation::kPrivate, PROPAGATION_PRIVATE);
BERTH_SAME(Propagation::kHostToContainer, PROPAGATION_HOST_TO_CONTAINER);
BERTH_SAME(Propagation::kBidirectional, PROPAGATION_BIDIRECTIONAL);
BERTH_SAME(Protocol::kTcp, TCP);
BERTH_SAME(Protocol::kUdp, UDP);
BERTH_SAME(Protocol::kSctp, SCTP);
BERTH_SAME(ProfileType::kRuntimeDefault, SecurityProfile::RuntimeDefault);
BERTH_SAME(ProfileType::kUnconfined, SecurityProfile::Unconfined);
BERTH_SAME(ProfileType::kLocalhost, SecurityProfile::Localhost);
BERTH_SAME(SupplementalGroupsPolicy::kMerge, Merge);
BERTH_SAME(SupplementalGroupsPolicy::kStrict, Strict);
BERTH_SAME(SandboxState::kReady, SANDBOX_READY);
BERTH_SAME(SandboxState::kNotReady, SANDBOX_NOTREADY);
BERTH_SAME(ContainerState::kCreated, CONTAINER_CREATED);
BERTH_SAME(ContainerState::kRunning, CONTAINER_RUNNING);
BERTH_SAME(ContainerState::kExited, CONTAINER_EXITED);
BERTH_SAME(ContainerState::kUnknown, CONTAINER_UNKNOWN);
#undef BERTH_SAME

template <class Message, class Ours>
[[nodiscard]] Message enum_to(Ours value) {
  return static_cast<Message>(static_cast<int>(value));
}

// `last` is the highest number we know.
template <class Ours, class Message>
[[nodiscard]] Ours enum_from(Message value, Ours last, Ours otherwise) {
  const int number = static_cast<int>(value);
  if (number < 0 || number > static_cast<int>(last)) return otherwise;
  return static_cast<Ours>(number);
}

[[nodiscard]] inline SandboxState state_from(runtime::v1::PodSandboxState value) {
  return enum_from(value, SandboxState::kNotReady, SandboxState::kNotReady);
}
[[nodiscard]] inline ContainerState state_from(runtime::v1::ContainerState value) {
  return enum_from(value, ContainerState::kUnknown, ContainerState::kUnknown);
}

}  // namespace berth::cri
