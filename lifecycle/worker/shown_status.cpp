// SPDX-License-Identifier: Apache-2.0

#include "lifecycle/worker/shown_status.hpp"

#include "lifecycle/status/status_stamp.hpp"

namespace berth::lifecycle {

bool ShownStatus::differs(const api::PodStatus& next, const ShownSpec& spec) const {
  return spec_ != spec || !same_status(shown_, next);
}

void ShownStatus::show(api::PodStatus next, ShownSpec spec) {
  shown_ = std::move(next);
  spec_ = std::move(spec);
}

}  // namespace berth::lifecycle
