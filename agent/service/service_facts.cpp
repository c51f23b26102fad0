// SPDX-License-Identifier: Apache-2.0

#include "agent/service/service_facts.hpp"

#include "agent/eviction/eviction_manager.hpp"

namespace berth::agent {

ServiceFacts service_facts(const ControlSources& sources) {
  ServiceFacts facts{.waits_for = waiting_for(sources), .pods = sources.pods.snapshot()};
  if (sources.evictions == nullptr) return facts;
  facts.thresholds = sources.evictions->standing();
  for (const auto condition : sources.evictions->conditions())
    facts.pressure.emplace_back(eviction::to_string(condition));
  return facts;
}

}  // namespace berth::agent
