// SPDX-License-Identifier: Apache-2.0

// Fills in the API's defaults for unset fields, before an object is validated or run.
//
// Pure, and idempotent: defaulting twice changes nothing.
#pragma once

#include "api/config_map.hpp"
#include "api/namespace.hpp"
#include "api/node.hpp"
#include "api/pod.hpp"
#include "api/priority_class.hpp"
#include "api/secret.hpp"

namespace berth::api {

void apply_defaults(Pod& pod);
// Merges stringData into data.
void apply_defaults(Secret& secret);
void apply_defaults(PriorityClass& priority_class);
void apply_defaults(Namespace& object);
void apply_defaults(Node& node);

}  // namespace berth::api
