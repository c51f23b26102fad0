// SPDX-License-Identifier: Apache-2.0

// What the simulated runtime shows of its records at an instant: an exit or a death is shown some
// time after it happened. Pure.
#pragma once

#include "base/clock_types.hpp"
#include "cri/types.hpp"
#include "tests/simulation/runtime/runtime_record.hpp"

namespace berth::simulation {

[[nodiscard]] bool shows_exit(const Instance& instance, SteadyTime now);
[[nodiscard]] cri::ContainerStatus status_of(const Instance& instance, SteadyTime now);
[[nodiscard]] cri::PodSandboxStatus status_of(const SandboxRecord& sandbox, SteadyTime now);

// As a list has them.
[[nodiscard]] cri::Container listed(const Instance& instance, SteadyTime now);
[[nodiscard]] cri::PodSandbox listed(const SandboxRecord& sandbox, SteadyTime now);

// CRI's selection.
[[nodiscard]] bool selected(const cri::ContainerFilter& filter, const cri::Container& container);
[[nodiscard]] bool selected(const cri::SandboxFilter& filter, const cri::PodSandbox& sandbox);

}  // namespace berth::simulation
