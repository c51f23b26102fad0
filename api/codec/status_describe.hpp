// SPDX-License-Identifier: Apache-2.0

// How the codec sees the types of api/status.hpp. Included only by the codec's sources.
#pragma once

#include <boost/describe.hpp>

#include "api/status.hpp"

namespace berth::api {

BOOST_DESCRIBE_STRUCT(StatusCause, (), (reason, message, field))
BOOST_DESCRIBE_STRUCT(StatusDetails, (), (name, group, kind, uid, causes, retryAfterSeconds))
BOOST_DESCRIBE_STRUCT(Status, (), (kind, apiVersion, status, message, reason, details, code))

}  // namespace berth::api
