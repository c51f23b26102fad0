// The way to the agent: its control socket, and what to tell when there is nobody behind it.
//
// Blocking calls; berthctl has one thread and nothing else to do. Calls made with `context()` end
// after --request-timeout; streams made with `endless_context()` last until the user has enough.
#pragma once

#include <chrono>
#include <memory>
#include <string>

#include <grpcpp/client_context.h>

#include "base/result.hpp"
#include "control/control.grpc.pb.h"

namespace berth::ctl {

class Connection {
 public:
  // Refuses (kUnavailable, kPermission) where the socket is not there or may not be opened.
  static Result<Connection> open(const std::string& socket, std::chrono::seconds timeout);

  [[nodiscard]] control::v1::Control::Stub& stub() { return *stub_; }
  [[nodiscard]] std::unique_ptr<grpc::ClientContext> context() const;
  [[nodiscard]] static std::unique_ptr<grpc::ClientContext> endless_context();

  // What went wrong, in words for the person at the terminal; the status is not ok.
  [[nodiscard]] Error explain(const grpc::Status& status) const;

 private:
  Connection(std::string socket, std::chrono::seconds timeout);

  std::string socket_;
  std::chrono::seconds timeout_;
  std::unique_ptr<control::v1::Control::Stub> stub_;
};

}  // namespace berth::ctl
