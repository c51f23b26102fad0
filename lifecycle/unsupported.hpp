// SPDX-License-Identifier: Apache-2.0

// What a pod asks for that this version does not run yet.
//
// Such a pod is decoded and validated as usual, and then stays Pending with exactly these
// sentences: silently ignoring a block device would be a lie. The list shrinks as features are
// added. Pure.
#pragma once

#include <string>
#include <vector>

#include "api/pod.hpp"

namespace berth::lifecycle {

struct Unsupported {
  std::string field{};     // e.g. spec.containers[0].volumeDevices
  std::string sentence{};  // what is not supported, ready to be shown

  bool operator==(const Unsupported&) const = default;
};

// In the order of the spec; empty if the pod can be run.
[[nodiscard]] std::vector<Unsupported> unsupported_fields(const api::Pod& pod);

// All of them as one message.
[[nodiscard]] std::string unsupported_message(const std::vector<Unsupported>& fields);

}  // namespace berth::lifecycle
