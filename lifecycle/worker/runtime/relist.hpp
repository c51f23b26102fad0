// SPDX-License-Identifier: Apache-2.0

// The safety net under the runtime's event stream: listing everything the runtime has.
//
// Two calls each; runtime_listing.hpp compares the results. Loop thread.
#pragma once

#include <string>

#include "cri/runtime.hpp"
#include "lifecycle/worker/runtime/runtime_listing.hpp"

namespace berth::lifecycle {

[[nodiscard]] cri::Call<RuntimeListing> list_everything(cri::Runtime& runtime);
// The same for one pod, by its uid label.
[[nodiscard]] cri::Call<ListedPod> list_pod(cri::Runtime& runtime, std::string uid);

}  // namespace berth::lifecycle
