// SPDX-License-Identifier: Apache-2.0

// What would end berthd at its start on this machine although its configuration is valid.
//
// Blocking; changes nothing. Not all can be seen beforehand: not whether the state file opens, say.
#pragma once

#include <string>
#include <vector>

#include "agent/settings/settings.hpp"
#include "node/node_config.hpp"

namespace berth::agent {

// In the words with which berthd would end, each with what to do. `driver`: the one that berthd
// would take.
[[nodiscard]] std::vector<std::string> look_at_start(const Settings& settings,
                                                     node::CgroupDriver driver);

}  // namespace berth::agent
