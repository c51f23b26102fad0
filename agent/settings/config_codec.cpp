// SPDX-License-Identifier: Apache-2.0

// The codec of the configuration kinds, compiled once.
#include "agent/settings/berth_configuration_describe.hpp"
#include "agent/settings/kubelet_configuration_describe.hpp"
#include "api/codec/affinity_describe.hpp"
#include "api/codec/codec_generic.hpp"

namespace berth::api {

BERTH_CODEC(agent::KubeletConfiguration);
BERTH_CODEC(agent::BerthConfiguration);

}  // namespace berth::api
