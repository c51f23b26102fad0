// SPDX-License-Identifier: Apache-2.0

// A simulation of twenty seconds: one eviction as measured, then one that is an estimate.
#pragma once

#include <string>

#include "control/control.pb.h"

namespace berth::ctl {

inline control::v1::SimulateEvictionsReply simulated() {
  control::v1::SimulateEvictionsReply reply;
  reply.add_thresholds("memory.available<5Gi");
  reply.set_samples(3);
  reply.set_from("2026-01-02T03:00:00Z");
  reply.set_until("2026-01-02T03:00:20Z");
  const char* const certainties[] = {"AsMeasured", "AsMeasured", "AfterDeviation"};
  const char* const kinds[] = {"ThresholdMet", "Eviction", "Eviction"};
  for (int i = 0; i < 3; ++i) {
    auto& event = *reply.add_events();
    event.set_time("2026-01-02T03:00:10Z");
    event.set_kind(kinds[i]);
    event.set_certainty(certainties[i]);
    event.set_text("event " + std::to_string(i));
    event.set_namespace_("default");
    event.set_name("a<b");
  }
  auto& series = *reply.add_series();
  series.set_signal("memory.available");
  series.set_unit("bytes");
  constexpr std::int64_t kBegin = 1'767'322'800'000;  // 2026-01-02T03:00:00Z
  for (int i = 0; i < 3; ++i) {
    series.add_time_ms(kBegin + i * 10'000);
    series.add_values(6e9 - i * 1e9);
  }
  auto& limit = *series.add_limits();
  limit.set_threshold("memory.available<5Gi");
  limit.set_value(5.4e9);
  return reply;
}

}  // namespace berth::ctl
