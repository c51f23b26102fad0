// The sending half of `exec`: what the user types, and what the terminal's size becomes.
//
// A thread of its own, because a blocking read of the replies and a blocking read of stdin cannot
// share one. It waits for stdin, signals and `stop` at once; SIGINT, SIGTERM and SIGHUP (blocked
// in every thread while it lives) cancel the call, so that the main thread unwinds and restores
// the terminal. Owned by run_exec; the destructor ends and joins it.
#pragma once

#include <atomic>
#include <thread>

#include <grpcpp/client_context.h>
#include <grpcpp/support/sync_stream.h>

#include "base/descriptor.hpp"
#include "control/control.pb.h"

namespace berth::ctl {

class ExecInput {
 public:
  using Stream =
      grpc::ClientReaderWriterInterface<control::v1::ExecRequest, control::v1::ExecReply>;

  ExecInput(grpc::ClientContext& context, Stream& stream, bool use_stdin, bool tty);
  ExecInput(const ExecInput&) = delete;
  ExecInput& operator=(const ExecInput&) = delete;
  ~ExecInput();

  // The signal that ended the call; 0: none did.
  [[nodiscard]] int signal() const { return signal_; }

 private:
  void run();
  bool forward_stdin();
  bool on_signal();

  grpc::ClientContext& context_;
  Stream& stream_;
  bool stdin_open_;
  const bool tty_;
  std::atomic<int> signal_ = 0;
  Descriptor signals_{};  // signalfd
  Descriptor stop_{};     // eventfd
  std::jthread thread_;
};

}  // namespace berth::ctl
