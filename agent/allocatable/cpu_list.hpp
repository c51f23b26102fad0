// SPDX-License-Identifier: Apache-2.0

// Processors as the kernel and Kubernetes list them: "0-3,8".
//
// Pure. The rules are those of Kubernetes' cpuset.
#pragma once

#include <cstddef>
#include <string_view>

#include "base/result.hpp"

namespace berth::agent {

// How many different processors the list names; an empty one names none. The error quotes the
// whole list.
[[nodiscard]] Result<std::size_t> cpus_in(std::string_view list);

}  // namespace berth::agent
