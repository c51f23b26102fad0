// SPDX-License-Identifier: Apache-2.0

#include "ctl/wait_limit.hpp"

#include <chrono>

#include "base/real_clock.hpp"

namespace berth::ctl {

WaitLimit::WaitLimit(const std::shared_ptr<grpc::ClientContext>& call, Nanoseconds limit) {
  if (limit <= Nanoseconds::zero()) return;
  const auto at = std::chrono::time_point_cast<std::chrono::system_clock::duration>(
      RealClock{}.wall_now() + limit);
  alarm_ = std::make_unique<grpc::Alarm>();
  alarm_->Set(at, [call, reached = reached_](bool expired) {
    if (!expired) return;
    reached->store(true);
    call->TryCancel();
  });
}

}  // namespace berth::ctl
