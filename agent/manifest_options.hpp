// How manifests are read, by the settings. Pure.
#pragma once

#include "agent/settings.hpp"
#include "api/manifest.hpp"

namespace berth::agent {

[[nodiscard]] api::ManifestOptions manifest_options(const Settings& settings);

}  // namespace berth::agent
