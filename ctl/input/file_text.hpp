// SPDX-License-Identifier: Apache-2.0

// The text of a file named on the command line.
#pragma once

#include <string>

#include "base/result.hpp"

namespace berth::ctl {

// "-" is standard input. kInvalid with the file's name and the reason if it cannot be read.
[[nodiscard]] Result<std::string> file_text(const std::string& file);

// The name used in messages: "stdin" for "-".
[[nodiscard]] std::string shown_name(const std::string& file);

}  // namespace berth::ctl
