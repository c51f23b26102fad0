// SPDX-License-Identifier: Apache-2.0

// JSON as text: compact as Kubernetes sends it, or indented as kubectl prints it.
//
// Pure. Boost.JSON's own text differs from Go's: here numbers are printed as Go prints them (no
// exponent from 1e-6 to 1e21), `<`, `>` and `&` inside strings are escaped, invalid UTF-8 is
// replaced.
#pragma once

#include <string>
#include <string_view>

#include <boost/json/fwd.hpp>

namespace berth::api {

void append_json_string(std::string_view text, std::string& out);

// A double in the notation of Go's JSON encoder; it must be finite.
[[nodiscard]] std::string json_number(double number);

[[nodiscard]] std::string compact_json(const boost::json::value& value);

// Indented by four spaces, as kubectl's -o json.
[[nodiscard]] std::string pretty_json(const boost::json::value& value);

}  // namespace berth::api
