// SPDX-License-Identifier: Apache-2.0

#include "lifecycle/pods/begin_order.hpp"

#include <cstdint>
#include <tuple>

namespace berth::lifecycle {

bool begins_before(const PodPtr& a, const PodPtr& b) {
  return std::forward_as_tuple(-std::int64_t{a->spec.priority.value_or(0)}, a->metadata.namespace_,
                               a->metadata.name, a->metadata.uid) <
         std::forward_as_tuple(-std::int64_t{b->spec.priority.value_or(0)}, b->metadata.namespace_,
                               b->metadata.name, b->metadata.uid);
}

}  // namespace berth::lifecycle
