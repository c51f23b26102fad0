// SPDX-License-Identifier: Apache-2.0

// Decodes and updates in one call, for those whom decoding may hold up: a command that prints its
// findings, tests, the simulation. Not for berthd's loop.
#pragma once

#include "agent/sources/folder_content.hpp"
#include "agent/sources/manifest_folder.hpp"
#include "base/clock_types.hpp"

namespace berth::agent {

ManifestFolder::Outcome update_blocking(ManifestFolder& folder, FolderContent content,
                                        WallTime now);

}  // namespace berth::agent
