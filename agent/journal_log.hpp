// SPDX-License-Identifier: Apache-2.0

// The agent's log: the journal with structured fields, or plain lines on stderr.
//
// JOURNAL_STREAM decides: systemd sets it to the device and inode of the stream it connected, and
// if stderr still is that one, lines go to the journal with their fields (BERTH_POD=web). Otherwise
// each line goes to stderr with its time, and its fields appended. Loop thread only; writing may
// block for as long as stderr does.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/log.hpp"

namespace berth::agent {

[[nodiscard]] bool stderr_is_the_journal();
// Any thread. Sends the line whatever level was requested; may block for as long as the journal
// does.
void send_to_journal(const LogLine& line, const std::string& node_name);

// `node_name`: names of pods are searched for with and without it.
[[nodiscard]] std::unique_ptr<Log> make_log(LogLevel level, const std::string& node_name);

// Changes the level from now on, for a reload. `log` comes from make_log.
void set_log_level(Log& log, LogLevel level);

// The line for stderr, without time: `Killing: stopping web POD=web CONTAINER="a b"`.
[[nodiscard]] std::string plain_line(std::string_view event, std::string_view message,
                                     const std::vector<LogField>& fields);

}  // namespace berth::agent
