// SPDX-License-Identifier: Apache-2.0

// The sending half of `exec`: the user's input, and changes of the terminal's size.
//
// Two threads of its own. One reads stdin and sends it; it may block there for as long as the
// command reads nothing. The other waits for signals: SIGINT, SIGTERM and SIGHUP (blocked in every
// other thread while this lives) cancel the call, so that the main thread unwinds and restores the
// terminal; if its own output blocks it, the next such signal terminates the process. Owned by
// run_exec; the destructor stops and joins both.
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

  // The signal that cancelled the call; 0 if none did.
  [[nodiscard]] int signal() const { return signal_; }

 private:
  void send_input();
  void await_signals();
  bool forward_stdin();
  bool send_size();

  grpc::ClientContext& context_;
  Stream& stream_;
  const bool use_stdin_;
  const bool tty_;
  std::atomic<int> signal_ = 0;
  Descriptor signals_{};  // signalfd
  Descriptor stop_{};     // eventfd
  Descriptor resized_{};  // eventfd
  std::jthread signalled_;
  std::jthread sending_;
};

}  // namespace berth::ctl
