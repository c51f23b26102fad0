// SPDX-License-Identifier: Apache-2.0

// Converts a pod's memory to text and back: the `memory` column of the state file.
//
// Lossless, to the nanosecond. Unreadable text is kInvalid with the problem, including words that
// only a newer berthd knows. Unknown members are ignored, missing ones have their initial values.
// Pure.
#pragma once

#include <string>
#include <string_view>

#include "base/result.hpp"
#include "lifecycle/pod_memory.hpp"

namespace berth::agent {

[[nodiscard]] std::string_view verdict_word(lifecycle::Verdict verdict);

[[nodiscard]] std::string memory_text(const lifecycle::PodMemory& memory);
[[nodiscard]] Result<lifecycle::PodMemoryPtr> read_memory(std::string_view text);

}  // namespace berth::agent
