// SPDX-License-Identifier: Apache-2.0

// The codec for pods and their parts.
#include <vector>

#include "api/codec/affinity_describe.hpp"
#include "api/codec/codec_generic.hpp"
#include "api/codec/container_describe.hpp"
#include "api/codec/container_status_describe.hpp"
#include "api/codec/event_describe.hpp"
#include "api/codec/handlers_describe.hpp"
#include "api/codec/lists_describe.hpp"
#include "api/codec/meta_describe.hpp"
#include "api/codec/pod_describe.hpp"
#include "api/codec/references_describe.hpp"
#include "api/codec/resources_describe.hpp"
#include "api/codec/security_describe.hpp"
#include "api/codec/volume_describe.hpp"

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
