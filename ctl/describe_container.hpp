// SPDX-License-Identifier: Apache-2.0

// One container as `describe pod` shows it: spec and state side by side. Pure.
#pragma once

#include "api/pod.hpp"
#include "ctl/describe_text.hpp"

namespace berth::ctl {

// `status` null: unknown so far.
void describe_container(DescribeText& out, const api::Pod& pod, const api::Container& container,
                        const api::ContainerStatus* status);
void describe_seccomp(DescribeText& out, const api::SeccompProfile& profile);

// "Sat, 21 Nov 2026 15:40:32 +0000"; "<unknown>" if not set.
[[nodiscard]] std::string describe_time(const std::optional<api::Time>& time);

}  // namespace berth::ctl
