// SPDX-License-Identifier: Apache-2.0

// How the codec sees the types of api/secret.hpp. Included only by the codec's sources.
#pragma once

#include <array>
#include <string_view>

#include <boost/describe.hpp>

#include "api/secret.hpp"

namespace berth::api {

BOOST_DESCRIBE_STRUCT(Secret, (), (kind, apiVersion, metadata, immutable, data, stringData, type))

}  // namespace berth::api
