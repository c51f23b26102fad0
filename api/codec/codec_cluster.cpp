// SPDX-License-Identifier: Apache-2.0

// The codec for all objects other than pods.
#include <vector>

#include "api/codec/affinity_describe.hpp"
#include "api/codec/codec_generic.hpp"
#include "api/codec/config_map_describe.hpp"
#include "api/codec/eviction_describe.hpp"
#include "api/codec/meta_describe.hpp"
#include "api/codec/namespace_describe.hpp"
#include "api/codec/node_describe.hpp"
#include "api/codec/pod_disruption_budget_describe.hpp"
#include "api/codec/priority_class_describe.hpp"
#include "api/codec/references_describe.hpp"
#include "api/codec/secret_describe.hpp"
#include "api/codec/service_describe.hpp"
#include "api/codec/status_describe.hpp"

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
