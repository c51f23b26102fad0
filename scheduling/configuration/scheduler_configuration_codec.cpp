// SPDX-License-Identifier: Apache-2.0

// The codec of KubeSchedulerConfiguration and the plugins' arguments, compiled once.
#include "api/codec/affinity_describe.hpp"
#include "api/codec/codec_generic.hpp"
#include "api/codec/meta_describe.hpp"
#include "scheduling/configuration/scheduler_configuration_describe.hpp"

namespace berth::api {

BERTH_CODEC(scheduling::config::KubeSchedulerConfiguration);
BERTH_CODEC(scheduling::config::SchedulerProfile);
BERTH_CODEC(scheduling::config::NodeResourcesFitArgs);
BERTH_CODEC(scheduling::config::NodeResourcesBalancedAllocationArgs);
BERTH_CODEC(scheduling::config::PodTopologySpreadArgs);
BERTH_CODEC(scheduling::config::InterPodAffinityArgs);
BERTH_CODEC(scheduling::config::NodeAffinityArgs);
BERTH_CODEC(scheduling::config::DefaultPreemptionArgs);
BERTH_CODEC(scheduling::config::DynamicResourcesArgs);
BERTH_CODEC(scheduling::config::VolumeBindingArgs);

}  // namespace berth::api
