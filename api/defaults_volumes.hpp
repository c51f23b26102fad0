// SPDX-License-Identifier: Apache-2.0

// Defaults for volumes, part of a pod's defaults.
#pragma once

#include "api/volume.hpp"

namespace berth::api {

void apply_volume_defaults(Volume& volume);
// Sets the API version whose field names a selector uses.
void apply_field_ref_defaults(ObjectFieldSelector& ref);
// Rounds amounts up to whole thousandths.
void round_up_to_milli(ResourceList& amounts);

}  // namespace berth::api
