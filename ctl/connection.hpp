// SPDX-License-Identifier: Apache-2.0

// The connection to the agent's control socket, and what to report when nothing answers there.
//
// Blocking calls; berthctl has one thread and nothing else to do. --request-timeout limits how long
// to wait for the agent, never how long a stream lasts.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <utility>

#include <grpcpp/client_context.h>
#include <grpcpp/support/sync_stream.h>

#include "base/clock_types.hpp"
#include "base/result.hpp"
#include "control/control.grpc.pb.h"
#include "ctl/wait_limit.hpp"

namespace berth::ctl {

template <class Reply>
class ReplyStream;

// What --request-timeout limits for a stream.
enum class Patience : std::uint8_t {
  kEachReply,  // every reply: until the end there is always something to send
  kFirstSign,  // the acceptance of the call; after that there may be nothing to send for long
};

class Connection {
 public:
  // Refuses (kUnavailable, kPermission) if the socket does not exist or may not be opened.
  // `timeout`: zero means no limit.
  static Result<Connection> open(const std::string& socket, Nanoseconds timeout);

  [[nodiscard]] control::v1::Control::Stub& stub() { return *stub_; }
  // For a call with one answer.
  [[nodiscard]] std::unique_ptr<grpc::ClientContext> context() const;
  // `begin` makes the call with the given context.
  template <class Reply, class Begin>
  [[nodiscard]] ReplyStream<Reply> stream(Patience patience, Begin begin) const {
    auto context = std::make_shared<grpc::ClientContext>();
    auto reader = begin(context.get());
    return ReplyStream<Reply>(*this, std::move(context), std::move(reader), patience);
  }

  [[nodiscard]] Nanoseconds timeout() const { return timeout_; }
  // The error in words for the user; the status must not be ok.
  [[nodiscard]] Error explain(const grpc::Status& status) const;

 private:
  Connection(std::string socket, Nanoseconds timeout);

  std::string socket_;
  Nanoseconds timeout_;
  std::unique_ptr<control::v1::Control::Stub> stub_;
};

// The replies of one call, until its end.
template <class Reply>
class ReplyStream {
 public:
  ReplyStream(const Connection& agent, std::shared_ptr<grpc::ClientContext> context,
              std::unique_ptr<grpc::ClientReader<Reply>> reader, Patience patience)
      : agent_(agent),
        context_(std::move(context)),
        reader_(std::move(reader)),
        patience_(patience) {
    WaitLimit limit(context_, agent_.timeout());
    reader_->WaitForInitialMetadata();
    timed_out_ = limit.reached();
  }

  // False if there are no more replies; `finish` returns why.
  [[nodiscard]] bool read(Reply& reply) {
    const bool limited = patience_ == Patience::kEachReply && !timed_out_;
    WaitLimit limit(context_, limited ? agent_.timeout() : Nanoseconds::zero());
    const bool read = reader_->Read(&reply);
    timed_out_ = timed_out_ || limit.reached();
    return read;
  }

  // Cancels the rest of the call.
  void drop() {
    context_->TryCancel();
    static_cast<void>(reader_->Finish());
  }

  // Call after the last reply: an error if the stream did not end properly.
  [[nodiscard]] Result<bool> finish() {
    const grpc::Status status = reader_->Finish();
    if (status.ok()) return true;
    return fail(agent_.explain(timed_out_ ? grpc::Status(grpc::StatusCode::DEADLINE_EXCEEDED, "")
                                          : status));
  }

 private:
  const Connection& agent_;
  std::shared_ptr<grpc::ClientContext> context_;
  std::unique_ptr<grpc::ClientReader<Reply>> reader_;
  Patience patience_;
  bool timed_out_ = false;
};

}  // namespace berth::ctl
