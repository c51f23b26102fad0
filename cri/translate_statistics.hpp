// SPDX-License-Identifier: Apache-2.0

// Converts CRI's ContainerStats to cri/container_statistics.hpp. Pure.
#pragma once

#include "cri/container_statistics.hpp"
#include "cri/cri.pb.h"

namespace berth::cri {

[[nodiscard]] ContainerStatistics from_message(const runtime::v1::ContainerStats& message);

}  // namespace berth::cri
