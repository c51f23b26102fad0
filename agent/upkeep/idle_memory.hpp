// SPDX-License-Identifier: Apache-2.0

// Returns memory to the system once it is quiet: what the allocator holds free after the start and
// after bursts of work.
//
// berthd is idle most of the time, so what it holds then is what it costs. Loop thread.
#pragma once

#include <boost/asio/awaitable.hpp>

#include "base/clock.hpp"
#include "lifecycle/pods/pod_set.hpp"

namespace berth::agent {

// Runs until cancelled: after the start, and after every period in which pods changed.
[[nodiscard]] boost::asio::awaitable<void> give_back_when_quiet(Clock& clock,
                                                                lifecycle::PodSet& pods);

}  // namespace berth::agent
