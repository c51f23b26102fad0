// SPDX-License-Identifier: Apache-2.0

// The current texts of manifest files.
//
// Blocking: for the pool.
#pragma once

#include <set>
#include <string>
#include <vector>

#include "agent/doctor/doctor.hpp"

namespace berth::agent {

// Those of the files with these names, as far as they can be read. `path`: of the manifest folder,
// or of the one file that it may be.
[[nodiscard]] std::vector<ManifestText> read_texts(const std::string& path,
                                                   const std::set<std::string>& files);

}  // namespace berth::agent
