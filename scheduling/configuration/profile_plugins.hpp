// SPDX-License-Identifier: Apache-2.0

// Which plugins a profile enables, with which weights: the plugins that a file enables and disables
// per extension point, applied to the default profile.
//
// Pure. The rules are kube-scheduler's, v1.34: a plugin enabled by multiPoint is enabled at each of
// its points, unless the point itself disables it; a plugin enabled by a point is enabled there in
// any case, with its own weight, which is 1 if unset. The order of plugins at a point is fixed.
#pragma once

#include <string>
#include <vector>

#include "api/field_error.hpp"
#include "api/field_path.hpp"
#include "scheduling/configuration/scheduler_configuration.hpp"
#include "scheduling/cycle/profile.hpp"

namespace berth::scheduling {

// The output of resolution, and findings about the file.
struct ProfileResolution {
  Profile& profile;
  api::FieldErrors& errors;
  std::vector<std::string>& unused;  // paths of settings without effect
};

void resolve_plugins(const config::Plugins& plugins, const api::FieldPath& path,
                     ProfileResolution& to);

// Refuses a name that is not a plugin of v1, including an empty one.
void check_plugin_name(const std::string& name, const api::FieldPath& path,
                       api::FieldErrors& errors);

}  // namespace berth::scheduling
