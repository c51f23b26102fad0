// SPDX-License-Identifier: Apache-2.0

// Describes BerthConfiguration for the codec. Included only by the configuration's codec.
#pragma once

#include <boost/describe.hpp>

#include "agent/settings/berth_configuration.hpp"

namespace berth::agent {

BOOST_DESCRIBE_STRUCT(BerthConfiguration, (),
                      (apiVersion, kind, manifestRules, fieldValidation, maxManifestBytes,
                       maxManifestDocuments, maxManifestValues, staticPodsAreCritical,
                       terminationOnRestart, recreateEvicted, evictWithinRequests, evictAtOnce,
                       ownEvictionHard, ownEvictionSoft, ownEvictionSoftGracePeriod,
                       ownEvictionMinimumReclaim, nodeLabels, nodeTaints, hostnameOverride,
                       rootDirectory, containerLogsDir, cgroupMount, controlSocket,
                       controlSocketGroup, terminatedPodGCThreshold, relistPeriod, imageGCPeriod,
                       logLevel))

}  // namespace berth::agent
