// SPDX-License-Identifier: Apache-2.0

// How the codec sees the types of api/eviction.hpp. Included only by the codec's sources.
#pragma once

#include <boost/describe.hpp>

#include "api/eviction.hpp"

namespace berth::api {

BOOST_DESCRIBE_STRUCT(Preconditions, (), (uid, resourceVersion))
BOOST_DESCRIBE_STRUCT(DeleteOptions, (),
                      (kind, apiVersion, gracePeriodSeconds, preconditions, orphanDependents,
                       propagationPolicy, dryRun, ignoreStoreReadErrorWithClusterBreakingPotential))
BOOST_DESCRIBE_STRUCT(Eviction, (), (kind, apiVersion, metadata, deleteOptions))

}  // namespace berth::api
