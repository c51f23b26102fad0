// A limit on waiting within a call: as long as it exists, and no longer.
//
// When it is reached the call is cancelled, and whoever waits for it returns. gRPC's own deadlines
// are of whole calls.
#pragma once

#include <atomic>
#include <memory>

#include <grpcpp/alarm.h>
#include <grpcpp/client_context.h>

#include "base/clock_types.hpp"

namespace berth::ctl {

class WaitLimit {
 public:
  // Zero: none.
  WaitLimit(const std::shared_ptr<grpc::ClientContext>& call, Nanoseconds limit);

  // It was, and the call is cancelled.
  [[nodiscard]] bool reached() const { return reached_->load(); }

 private:
  // Shared with the alarm's thread.
  std::shared_ptr<std::atomic<bool>> reached_ = std::make_shared<std::atomic<bool>>(false);
  std::unique_ptr<grpc::Alarm> alarm_{};  // cancelled with this
};

}  // namespace berth::ctl
