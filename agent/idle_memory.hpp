// Gives memory back once it is quiet: what the allocator holds free after the start and after
// bursts of work.
//
// A berthd that has nothing to do is most of what a node has of it, so what it holds then is what
// it costs. Loop thread.
#pragma once

#include <boost/asio/awaitable.hpp>

#include "base/clock.hpp"
#include "lifecycle/pods/pod_set.hpp"

namespace berth::agent {

// Until cancelled: after the start, and after every time in which pods changed.
[[nodiscard]] boost::asio::awaitable<void> give_back_when_quiet(Clock& clock,
                                                                lifecycle::PodSet& pods);

}  // namespace berth::agent
