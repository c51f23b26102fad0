// SPDX-License-Identifier: Apache-2.0

// The checks that need nothing but to see the run.
#pragma once

#include "tests/simulation/endings/invariants_deletion.hpp"
#include "tests/simulation/invariants/invariants_hooks.hpp"
#include "tests/simulation/invariants/invariants_images.hpp"
#include "tests/simulation/invariants/invariants_times.hpp"

namespace berth::simulation {

struct Onlookers {
  HookInvariants hooks;
  TimeInvariants times;
  ImageInvariants images;
  DeletionInvariants deletion;
};

}  // namespace berth::simulation
