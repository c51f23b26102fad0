// SPDX-License-Identifier: Apache-2.0

// The codec for all objects other than pods.
#include <vector>

#include "api/affinity_describe.hpp"
#include "api/codec_generic.hpp"
#include "api/config_map_describe.hpp"
#include "api/eviction_describe.hpp"
#include "api/meta_describe.hpp"
#include "api/namespace_describe.hpp"
#include "api/node_describe.hpp"
#include "api/pod_disruption_budget_describe.hpp"
#include "api/priority_class_describe.hpp"
#include "api/references_describe.hpp"
#include "api/secret_describe.hpp"
#include "api/service_describe.hpp"
#include "api/status_describe.hpp"

namespace berth::api {

BERTH_CODEC(ConfigMap);
BERTH_CODEC(Secret);
BERTH_CODEC(Node);
BERTH_CODEC(PriorityClass);
BERTH_CODEC(PodDisruptionBudget);
BERTH_CODEC(Namespace);
BERTH_CODEC(Service);
BERTH_CODEC(Eviction);
BERTH_CODEC(Status);
BERTH_CODEC(Taint);
BERTH_CODEC(std::vector<Taint>);

}  // namespace berth::api
