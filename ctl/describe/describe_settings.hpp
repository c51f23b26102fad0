// SPDX-License-Identifier: Apache-2.0

// A container's settings as `describe` prints them: probes, resources, environment, mounts. Pure.
#pragma once

#include <string>

#include "api/pod.hpp"
#include "ctl/describe/describe_text.hpp"

namespace berth::ctl {

void describe_settings(DescribeText& out, const api::Pod& pod, const api::Container& container);

// "http-get http://:8080/healthz delay=0s timeout=1s period=10s #success=1 #failure=3"
[[nodiscard]] std::string probe_text(const api::Probe& probe);

}  // namespace berth::ctl
