// SPDX-License-Identifier: Apache-2.0

// Derives from the settings how manifests are read. Pure.
#pragma once

#include "agent/settings/settings.hpp"
#include "api/manifest/manifest.hpp"

namespace berth::agent {

[[nodiscard]] api::ManifestOptions manifest_options(const Settings& settings);

}  // namespace berth::agent
