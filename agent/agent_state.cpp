#include "agent/agent_state.hpp"

#include <utility>

#include "agent/sqlite_store.hpp"

namespace berth::agent {

HealthInput health_input(const ControlSources& sources, const LoopBeat& loop) {
  HealthInput input{.now = sources.clock.steady_now(),
                    .runtime_endpoint = sources.settings.runtime.endpoint,
                    .runtime_silent_since = sources.node.silent_since(),
                    .runtime_error = sources.node.runtime_error()};
  if (sources.store != nullptr) {
    StoreHealth store = sources.store->health();
    input.store_silent_since = store.silent_since;
    input.store_error = std::move(store.error);
  }
  input.loop_late = loop.late(input.now);
  return input;
}

}  // namespace berth::agent
