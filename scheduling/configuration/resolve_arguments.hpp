// SPDX-License-Identifier: Apache-2.0

// Checks a plugin's arguments, applies defaults, and stores them in the profile.
//
// Pure. Rules, defaults and texts are kube-scheduler's, v1.34. Appends problems to `errors`, with
// paths below `path`; an invalid argument changes nothing in the profile that would be used.
#pragma once

#include "api/field_error.hpp"
#include "api/field_path.hpp"
#include "scheduling/configuration/plugin_arguments.hpp"
#include "scheduling/cycle/profile.hpp"

namespace berth::scheduling {

void resolve_arguments(const config::NodeResourcesFitArgs& args, const api::FieldPath& path,
                       Profile& profile, api::FieldErrors& errors);
void resolve_arguments(const config::NodeResourcesBalancedAllocationArgs& args,
                       const api::FieldPath& path, Profile& profile, api::FieldErrors& errors);
void resolve_arguments(const config::PodTopologySpreadArgs& args, const api::FieldPath& path,
                       Profile& profile, api::FieldErrors& errors);
void resolve_arguments(const config::InterPodAffinityArgs& args, const api::FieldPath& path,
                       Profile& profile, api::FieldErrors& errors);
void resolve_arguments(const config::NodeAffinityArgs& args, const api::FieldPath& path,
                       Profile& profile, api::FieldErrors& errors);
void resolve_arguments(const config::DefaultPreemptionArgs& args, const api::FieldPath& path,
                       Profile& profile, api::FieldErrors& errors);

}  // namespace berth::scheduling
