// Getting pods by the names a user typed.
#pragma once

#include <string>
#include <vector>

#include "ctl/command.hpp"

namespace berth::ctl {

// JSON of each pod named, or of all in the namespace(s) chosen if none is; the first name that is
// not there is an error.
[[nodiscard]] Result<std::vector<std::string>> fetch_pods(Connection& agent, const Options& options,
                                                          const std::vector<std::string>& names);

}  // namespace berth::ctl
