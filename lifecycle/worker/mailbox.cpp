// SPDX-License-Identifier: Apache-2.0

#include "lifecycle/worker/mailbox.hpp"

#include <algorithm>
#include <utility>

namespace berth::lifecycle {

PodOrders merge(PodOrders pending, PodOrders later) {
  if (later.end) pending.end = pending.end ? merge(*pending.end, *later.end) : later.end;
  // The first news of a stop is closest to it; a duplicate event adds at most an exit code that the
  // first one lacked.
  for (auto& [id, news] : later.stopped) {
    auto [at, inserted] = pending.stopped.try_emplace(id, news);
    if (!inserted && !at->second.exit_code) at->second = news;
  }
  for (auto& [type, condition] : later.conditions)
    pending.conditions.insert_or_assign(type, std::move(condition));
  pending.inspect = pending.inspect || later.inspect;
  pending.runtime_back = pending.runtime_back || later.runtime_back;
  pending.objects_changed = pending.objects_changed || later.objects_changed;
  pending.collect = std::max(pending.collect, later.collect);
  // Reclaims do not overlap, so nobody waits for the earlier one any more.
  if (later.collecting) pending.collecting = std::move(later.collecting);
  return pending;
}

}  // namespace berth::lifecycle
