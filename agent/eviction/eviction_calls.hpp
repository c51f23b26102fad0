// SPDX-License-Identifier: Apache-2.0

// The control API's calls about eviction: its state, its history, and simulations.
//
// Loop thread only. They change nothing, so cancelling one is harmless.
#pragma once

#include <string>

#include <boost/asio/awaitable.hpp>

#include "agent/eviction/eviction_manager.hpp"
#include "agent/eviction/simulated_eviction.hpp"
#include "agent/store/ledger_reader.hpp"
#include "base/blocking_pool.hpp"
#include "base/clock.hpp"
#include "base/result.hpp"
#include "control/control.pb.h"

namespace berth::agent {

namespace wire = control::v1;

// References; everything outlives the calls.
struct EvictionCallSources {
  EvictionManager* manager = nullptr;  // null if eviction has not started yet
  LedgerReader* ledger = nullptr;      // null if there is no store
  Clock& clock;
  BlockingPool& pool;
  std::string node_name{};
  PodsLimit in_force{};
};

template <class Reply>
using EvictionCall = boost::asio::awaitable<Result<Reply>>;

// kUnavailable if the node has not been measured yet.
[[nodiscard]] EvictionCall<wire::ExplainEvictionsReply> explain_evictions(EvictionCallSources from);

// A hundred at most if no limit is given.
[[nodiscard]] EvictionCall<wire::ListEvictionsReply> list_evictions(
    EvictionCallSources from, wire::ListEvictionsRequest request);

// kInvalid if the configuration or the requested time is refused; kUnavailable as above.
[[nodiscard]] EvictionCall<wire::SimulateEvictionsReply> simulate_evictions(
    EvictionCallSources from, wire::SimulateEvictionsRequest request);

// kNotFound if no pod has that name; kUnavailable as above.
[[nodiscard]] EvictionCall<wire::TopPodsReply> top_pods(EvictionCallSources from,
                                                        wire::TopPodsRequest request);

}  // namespace berth::agent
