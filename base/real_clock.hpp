// SPDX-License-Identifier: Apache-2.0

// The machine's clocks. No other code reads them.
#pragma once

#include "base/clock.hpp"

namespace berth {

class RealClock final : public Clock {
 public:
  [[nodiscard]] SteadyTime steady_now() const override;
  [[nodiscard]] WallTime wall_now() const override;
  [[nodiscard]] boost::asio::awaitable<void> sleep_until(SteadyTime deadline) override;
  [[nodiscard]] Alarm call_at(const boost::asio::any_io_executor& loop, SteadyTime moment,
                              std::function<void()> call) override;
};

}  // namespace berth
