// SPDX-License-Identifier: Apache-2.0

// Queries a container runtime's state, for `doctor`: within a running berthd, and without one.
#pragma once

#include <boost/asio/awaitable.hpp>

#include "agent/doctor/doctor.hpp"
#include "base/clock.hpp"
#include "cri/runtime.hpp"

namespace berth::agent {

// A few calls, all of them within `limit`.
[[nodiscard]] boost::asio::awaitable<RuntimeLook> look_at_runtime(cri::Runtime& runtime,
                                                                  cri::Images& images, Clock& clock,
                                                                  Nanoseconds limit);

}  // namespace berth::agent
