// SPDX-License-Identifier: Apache-2.0

// A reload: the configuration is read again, all or nothing. The log level and eviction thresholds
// change at once; the log names what waits for a restart.
#pragma once

#include "agent/eviction/node_eviction.hpp"
#include "agent/options.hpp"
#include "base/log.hpp"

namespace berth::agent {

// `settings` are those in force, and follow what changes. Blocking, small. Loop thread.
void reload(const Options& options, Settings& settings, Log& log, NodeEviction& eviction);

}  // namespace berth::agent
