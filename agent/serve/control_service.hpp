// SPDX-License-Identifier: Apache-2.0

// The gRPC service: maps methods to handlers. The loop owns each call until it is over.
#pragma once

#include <list>
#include <memory>
#include <optional>
#include <string>

#include "agent/serve/control_callers.hpp"
#include "agent/serve/control_calls.hpp"
#include "agent/serve/control_streams.hpp"
#include "agent/serve/exec_turns.hpp"
#include "base/grpc_queue.hpp"
#include "control/control.grpc.pb.h"

namespace berth::agent {

class ControlService {
 public:
  ControlService(GrpcQueue& queue, ControlCallers& callers, ControlSources sources,
                 TaskGroup::FailureHandler on_failure);
  ControlService(const ControlService&) = delete;
  ControlService& operator=(const ControlService&) = delete;
  ~ControlService();

  // For building the server.
  [[nodiscard]] grpc::Service& wire() { return wire_; }

  // Accepts calls, after the server has been started.
  void start();

  // Refuses new calls, cancels and joins the streaming ones.
  [[nodiscard]] boost::asio::awaitable<void> stop();
  // Call after the server's shutdown: waits until no call is left.
  [[nodiscard]] boost::asio::awaitable<void> join();

 private:
  using Rpc = wire::Control::AsyncService;

  // A streaming call with its tasks.
  struct Session {
    Session(boost::asio::any_io_executor executor, std::optional<uid_t> of,
            TaskGroup::FailureHandler on_failure)
        : user(of), tasks(std::move(executor), std::move(on_failure)) {}
    std::optional<uid_t> user;  // unset if its connection is already gone
    bool follows_log = false;
    TaskGroup tasks;
  };

  // Answered immediately, by `answer`.
  template <class Service, class Request, class Reply>
  void at_once(UnaryRpc<Service, Request, Reply> method);
  // The same for calls about pods: waits a little while the running pods are not known yet.
  template <class Service, class Request, class Reply>
  void once_known(const char* name, UnaryRpc<Service, Request, Reply> method);
  // By `answer_later`, for calls that wait for something, some seconds at most.
  template <class Service, class Request, class Reply>
  void in_time(const char* name, UnaryRpc<Service, Request, Reply> method);
  // By `begin(call, session)`, a coroutine that returns the call's status.
  template <class Service, class Request, class Reply, class Begin>
  void going_on(const char* name, StreamRpc<Service, Request, Reply> method, Begin begin);
  template <class Service, class Request, class Reply, class Begin>
  void going_on(const char* name, BidiRpc<Service, Request, Reply> method, Begin begin);

  template <class Call, class Method, class Begin>
  void take(Method method, Begin begin);
  template <class Request, class Reply>
  boost::asio::awaitable<void> finish_later(std::shared_ptr<UnaryCall<Request, Reply>> call);
  template <class Request, class Reply>
  boost::asio::awaitable<void> finish_once_known(std::shared_ptr<UnaryCall<Request, Reply>> call);
  // Owns the coroutine until it and its helpers have ended.
  template <class Call, class Begin>
  void go_on(const char* name, std::shared_ptr<Call> call, const Begin& begin);
  template <class Call>
  static boost::asio::awaitable<void> run(std::shared_ptr<Call> call,
                                          boost::asio::awaitable<Result<Ended>> going,
                                          std::shared_ptr<Session> session);
  // Why there is no room for another session of the user; OK if there is.
  [[nodiscard]] grpc::Status room_for(std::optional<uid_t> user) const;
  // Records that the session follows a log; an error if there is no room for that.
  [[nodiscard]] std::optional<Error> begin_following(Session& session);
  boost::asio::awaitable<void> attend(std::shared_ptr<Session> session);

  GrpcQueue& queue_;
  ControlCallers& callers_;
  ControlSources sources_;
  TaskGroup::FailureHandler on_failure_;
  Rpc wire_{};
  ExecTurns exec_turns_;
  TaskGroup takers_;  // one per method
  TaskGroup attendants_;
  std::list<std::shared_ptr<Session>> sessions_{};
  bool stopping_ = false;
};

}  // namespace berth::agent
