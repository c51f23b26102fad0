// $(VAR) references in env values, command, args and subPathExpr.
//
// Pure. `$$` is a literal `$`; what does not resolve stays as it was written; values are not
// expanded again; any character may stand in a name.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.hpp"

namespace berth::node {

using Variables = std::map<std::string, std::string>;

// None: the reference stays verbatim.
using Lookup = std::function<std::optional<std::string>(const std::string& name)>;

[[nodiscard]] std::string expand_variables(std::string_view text, const Lookup& lookup);

// Command and args: references to what is not there stay.
[[nodiscard]] std::vector<std::string> expand_command(const std::vector<std::string>& words,
                                                      const Variables& variables);

// subPathExpr: every variable must be there and not be empty, else kInvalid, naming all that miss.
[[nodiscard]] Result<std::string> expand_sub_path(std::string_view text,
                                                  const Variables& variables);

}  // namespace berth::node
