// CRI's ContainerStats as cri/container_statistics.hpp has them. Pure.
#pragma once

#include "cri/container_statistics.hpp"
#include "cri/cri.pb.h"

namespace berth::cri {

[[nodiscard]] ContainerStatistics from_message(const runtime::v1::ContainerStats& message);

}  // namespace berth::cri
