// The log of the agent: the journal with structured fields, or plain lines on stderr.
//
// Which of the two is told by JOURNAL_STREAM: systemd sets it to the device and inode of the
// stream it connected, and if stderr still is that one, lines go to the journal with their fields
// (BERTH_POD=web). Otherwise each line goes to stderr with its fields behind it; under systemd but
// not in the journal with a priority in front (<4>). Loop thread only; writing may block for as
// long as stderr does.
#pragma once

#include <memory>

#include "base/log.hpp"

namespace berth::agent {

[[nodiscard]] std::unique_ptr<Log> make_log(LogLevel level);

// Changes what is written from now on, for a reload. `log` comes from make_log.
void set_log_level(Log& log, LogLevel level);

// The line as stderr shows it, without time: `Killing: stopping web POD=web CONTAINER="a b"`.
[[nodiscard]] std::string plain_line(std::string_view event, std::string_view message,
                                     const std::vector<LogField>& fields);

}  // namespace berth::agent
