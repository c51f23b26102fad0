// SPDX-License-Identifier: Apache-2.0

// The codec for pods and their parts.
#include <vector>

#include "api/affinity_describe.hpp"
#include "api/codec_generic.hpp"
#include "api/container_describe.hpp"
#include "api/container_status_describe.hpp"
#include "api/event_describe.hpp"
#include "api/handlers_describe.hpp"
#include "api/lists_describe.hpp"
#include "api/meta_describe.hpp"
#include "api/pod_describe.hpp"
#include "api/references_describe.hpp"
#include "api/resources_describe.hpp"
#include "api/security_describe.hpp"
#include "api/volume_describe.hpp"

namespace berth::api {

BERTH_CODEC(Pod);
BERTH_CODEC(PodList);
BERTH_CODEC(PodSpec);
BERTH_CODEC(PodStatus);
BERTH_CODEC(PodCondition);
BERTH_CODEC(Container);
BERTH_CODEC(ContainerStatus);
BERTH_CODEC(ResourceRequirements);
BERTH_CODEC(Affinity);
BERTH_CODEC(Toleration);
BERTH_CODEC(LifecycleHandler);
BERTH_CODEC(Probe);
BERTH_CODEC(ObjectMeta);
BERTH_CODEC(LabelSelector);
BERTH_CODEC(std::vector<TopologySpreadConstraint>);
BERTH_CODEC(std::vector<ContainerPort>);
BERTH_CODEC(std::vector<Toleration>);
BERTH_CODEC(std::vector<EnvVar>);
BERTH_CODEC(ResourceList);
BERTH_CODEC(Event);
BERTH_CODEC(EventList);

}  // namespace berth::api
