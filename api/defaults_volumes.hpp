// Defaults of volumes, a part of a pod's defaults.
#pragma once

#include "api/volume.hpp"

namespace berth::api {

void apply_volume_defaults(Volume& volume);
// The version of the API whose field names a selector uses.
void apply_field_ref_defaults(ObjectFieldSelector& ref);
// Amounts are kept to the thousandth; what is finer counts as one more.
void round_up_to_milli(ResourceList& amounts);

}  // namespace berth::api
