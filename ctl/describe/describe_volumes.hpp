// SPDX-License-Identifier: Apache-2.0

// The volumes of a pod as `describe` prints them. Pure.
#pragma once

#include "api/pod.hpp"
#include "ctl/describe/describe_text.hpp"

namespace berth::ctl {

void describe_volumes(DescribeText& out, const std::vector<api::Volume>& volumes);

}  // namespace berth::ctl
