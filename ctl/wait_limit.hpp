// SPDX-License-Identifier: Apache-2.0

// A limit on waiting within a call, for as long as it exists.
//
// When it is reached the call is cancelled, and its waiter returns. gRPC's own deadlines apply to
// whole calls.
#pragma once

#include <atomic>
#include <memory>

#include <grpcpp/alarm.h>
#include <grpcpp/client_context.h>

#include "base/clock_types.hpp"

namespace berth::ctl {

class WaitLimit {
 public:
  // Zero: no limit.
  WaitLimit(const std::shared_ptr<grpc::ClientContext>& call, Nanoseconds limit);

  // The limit was reached, and the call cancelled.
  [[nodiscard]] bool reached() const { return reached_->load(); }

 private:
  // Shared with the alarm's thread.
  std::shared_ptr<std::atomic<bool>> reached_ = std::make_shared<std::atomic<bool>>(false);
  std::unique_ptr<grpc::Alarm> alarm_{};  // destroying it cancels the alarm
};

}  // namespace berth::ctl
