// SPDX-License-Identifier: Apache-2.0

// YAML as text, as kubectl prints it.
//
// Block style, two spaces, keys sorted, lists not indented below their key, multi-line texts as
// literal blocks. Quotes every string that a YAML 1.1 or 1.2 parser could take for another type.
// Pure. Ends with a line break.
#pragma once

#include <string>

#include <boost/json/fwd.hpp>

namespace berth::api {

[[nodiscard]] std::string yaml_text(const boost::json::value& value);

}  // namespace berth::api
