// SPDX-License-Identifier: Apache-2.0

// Samples of the pressure history, and the pods that they mention, as text for the state file.
//
// A sample names its pods by uid: a pod is much larger than its readings, and the same in every
// sample. Lossless except for pods' statuses, which no decision of eviction reads, and for
// `Sample::at`, whose clock ends with the boot. Text that lacks a member or has an unknown one is
// kInvalid: another version of berthd wrote it. Only `reclaiming`, which was added later, is
// omitted where it is false. Pure; any thread.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <string_view>

#include "api/pod.hpp"
#include "base/result.hpp"
#include "eviction/history.hpp"

namespace berth::agent {

using PodPtr = std::shared_ptr<const api::Pod>;
// The pod with that uid; null if it is unknown: the sample is then read without it.
using PodOfUid = std::function<PodPtr(const std::string& uid)>;

[[nodiscard]] std::string sample_text(const eviction::Sample& sample);
[[nodiscard]] Result<eviction::Sample> read_sample(std::string_view text, const PodOfUid& pod_of);

[[nodiscard]] std::string pod_text(const api::Pod& pod);
[[nodiscard]] Result<PodPtr> read_pod(std::string_view text);

}  // namespace berth::agent
