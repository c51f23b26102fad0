// SPDX-License-Identifier: Apache-2.0

// One container as `describe pod` shows it: spec and state side by side. Pure.
#pragma once

#include "api/pod.hpp"
#include "ctl/describe/describe_text.hpp"

namespace berth::ctl {

// `status`: null if unknown so far.
void describe_container(DescribeText& out, const api::Pod& pod, const api::Container& container,
                        const api::ContainerStatus* status);
void describe_seccomp(DescribeText& out, const api::SeccompProfile& profile);

}  // namespace berth::ctl
