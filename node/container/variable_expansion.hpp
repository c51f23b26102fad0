// SPDX-License-Identifier: Apache-2.0

// $(VAR) references in env values, command, args and subPathExpr.
//
// Pure. `$$` is a literal `$`; unresolved references stay as written; values are not expanded
// again; a name may contain any character.
//
// Linux limits a process's arguments: MAX_ARG_STRLEN (include/uapi/linux/binfmts.h) for one string
// with its zero, and three quarters of _STK_LIM (8 MiB, fs/exec.c) for all of them. Expansion
// beyond these limits fails with kInvalid, since a few short variables that refer to each other can
// request any amount of memory. An expansion may be shorter than its text ("$$", empty variables);
// a text that exceeds the longest string many times is refused unread, with kInvalid as well.
#pragma once

#include <cstddef>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.hpp"

namespace berth::node {

inline constexpr std::size_t kLongestString = 131072 - 1;
inline constexpr std::size_t kLongestText = 8 * (kLongestString + 1);
inline constexpr std::size_t kMostStringBytes = std::size_t{6} << 20;

using Variables = std::map<std::string, std::string>;

// `std::nullopt` if the reference stays verbatim.
using Lookup = std::function<std::optional<std::string>(const std::string& name)>;

// Reads the text once, whatever is in it.
[[nodiscard]] Result<std::string> expand_variables(std::string_view text, const Lookup& lookup);

// For command and args: references to unknown variables stay verbatim.
[[nodiscard]] Result<std::vector<std::string>> expand_command(const std::vector<std::string>& words,
                                                              const Variables& variables);

// The same for a probe, whose author cannot be warned in advance: a command whose expansion exceeds
// the limits stays as written.
[[nodiscard]] std::vector<std::string> expand_probe_command(const std::vector<std::string>& words,
                                                            const Variables& variables);

// For subPathExpr: every variable must exist and not be empty, else kInvalid, naming all missing
// ones.
[[nodiscard]] Result<std::string> expand_sub_path(std::string_view text,
                                                  const Variables& variables);

}  // namespace berth::node
