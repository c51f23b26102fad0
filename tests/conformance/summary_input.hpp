// SPDX-License-Identifier: Apache-2.0

// Converts the node Summary API (/stats/summary), as far as eviction uses it, to readings.
#pragma once

#include <boost/json.hpp>

#include "eviction/readings.hpp"

namespace berth::conformance {

[[nodiscard]] eviction::Readings read_summary(const boost::json::object& summary);

}  // namespace berth::conformance
