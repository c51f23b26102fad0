// Which plugins take part in a profile, with which weights: what a file enables and disables by
// extension point, over the default profile.
//
// Pure. As in kube-scheduler v1.34: what multiPoint enables counts for every point that a plugin
// extends, unless the point itself disables it; what a point enables counts there in any case, with
// its own weight, which is 1 where none is stated. The order of plugins at a point is fixed.
#pragma once

#include <string>
#include <vector>

#include "api/field_error.hpp"
#include "api/field_path.hpp"
#include "scheduling/configuration/scheduler_configuration.hpp"
#include "scheduling/cycle/profile.hpp"

namespace berth::scheduling {

// Where what is resolved goes, and what is said about the file.
struct ProfileResolution {
  Profile& profile;
  api::FieldErrors& errors;
  std::vector<std::string>& unused;  // paths of what is stated and has no effect
};

void resolve_plugins(const config::Plugins& plugins, const api::FieldPath& path,
                     ProfileResolution& to);

// Refuses a name that is no plugin of v1. An empty one as well.
void check_plugin_name(const std::string& name, const api::FieldPath& path,
                       api::FieldErrors& errors);

}  // namespace berth::scheduling
