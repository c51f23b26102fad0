// SPDX-License-Identifier: Apache-2.0

// A log line as fields of the journal (systemd.journal-fields(7)). Pure.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/log.hpp"

namespace berth::agent {

// The journal's priority, which is syslog's (RFC 5424).
[[nodiscard]] int priority(LogLevel level);

// "lifecycle::PodObservation::observe", from the compiler's name of that function: a coroutine's
// name has its parameters twice, and its frame.
[[nodiscard]] std::string_view plain_function(std::string_view signature);

// "NAME=value" each. A pod of this node has BERTH_POD twice, with and without the node's name
// ("web-node1", "web"), so that either finds it. CODE_FILE is a path within the source.
[[nodiscard]] std::vector<std::string> journal_entries(const LogLine& line,
                                                       const std::string& node_name);

}  // namespace berth::agent
