// SPDX-License-Identifier: Apache-2.0

// How the codec sees the types of api/config_map.hpp. Included only by the codec's sources.
#pragma once

#include <array>
#include <string_view>

#include <boost/describe.hpp>

#include "api/config_map.hpp"

namespace berth::api {

BOOST_DESCRIBE_STRUCT(ConfigMap, (), (kind, apiVersion, metadata, immutable, data, binaryData))

}  // namespace berth::api
