// SPDX-License-Identifier: Apache-2.0

// An in-process gRPC server on a unix socket, and a loop to call it from.
#pragma once

#include <unistd.h>

#include <atomic>
#include <filesystem>
#include <memory>
#include <string>
#include <thread>

#include <grpcpp/grpcpp.h>
#include <gtest/gtest.h>
#include <boost/asio/io_context.hpp>

#include "base/grpc_call.hpp"
#include "base/real_clock.hpp"
#include "base/task_group.hpp"
#include "echo.grpc.pb.h"

namespace berth {

using namespace std::chrono_literals;

class EchoServer final : public test::Echo::CallbackService {
 public:
  explicit EchoServer(const std::string& socket) {
    grpc::ServerBuilder builder;
    builder.AddListeningPort("unix:" + socket, grpc::InsecureServerCredentials());
    builder.RegisterService(this);
    server_ = builder.BuildAndStart();
  }
  ~EchoServer() override { server_->Shutdown(std::chrono::system_clock::time_point{}); }

  grpc::ServerUnaryReactor* Say(grpc::CallbackServerContext* context,
                                const test::SayRequest* request, test::SayReply* reply) override {
    struct Reactor final : grpc::ServerUnaryReactor {
      explicit Reactor(std::atomic<int>& cancelled_calls) : cancelled(cancelled_calls) {}
      void OnDone() override { delete this; }
      void OnCancel() override {
        ++cancelled;
        if (hang) Finish(grpc::Status::CANCELLED);
      }
      std::atomic<int>& cancelled;
      bool hang = false;
    };
    (void)context;
    auto reactor = std::make_unique<Reactor>(cancelled);
    reactor->hang = request->hang();
    reply->set_text(request->text());
    if (request->fail_with() != 0) {
      reactor->Finish({static_cast<grpc::StatusCode>(request->fail_with()), "as asked"});
    } else if (!request->hang()) {
      reactor->Finish(grpc::Status::OK);
    }
    return reactor.release();
  }

  grpc::ServerWriteReactor<test::CountReply>* Count(grpc::CallbackServerContext* context,
                                                    const test::CountRequest* request) override {
    struct Reactor final : grpc::ServerWriteReactor<test::CountReply> {
      Reactor(std::atomic<int>& cancelled_calls, const test::CountRequest& asked)
          : cancelled(cancelled_calls), to(asked.to()), hang(asked.hang_at_end()) {
        next();
      }
      void next() {
        if (number < to) {
          reply.set_number(++number);
          StartWrite(&reply);
        } else if (!hang) {
          Finish(grpc::Status::OK);
        } else if (waiting.exchange(true)) {
          Finish(grpc::Status::CANCELLED);
        }
      }
      void OnWriteDone(bool) override { next(); }
      void OnCancel() override {
        ++cancelled;
        if (waiting.exchange(true)) Finish(grpc::Status::CANCELLED);
      }
      void OnDone() override { delete this; }
      std::atomic<int>& cancelled;
      int to;
      bool hang;
      int number = 0;
      test::CountReply reply;
      std::atomic<bool> waiting = false;  // set by the end or the cancel, whichever is first
    };
    (void)context;
    return std::make_unique<Reactor>(cancelled, *request).release();
  }

  std::atomic<int> cancelled = 0;

 private:
  std::unique_ptr<grpc::Server> server_;
};

class EchoFixture : public testing::Test {
 protected:
  using Rpc = test::Echo::StubInterface;

  EchoFixture() {
    std::string pattern = std::filesystem::temp_directory_path() / "berth-echo-XXXXXX";
    folder_ = mkdtemp(pattern.data());
    socket = folder_ + "/echo.sock";
    server = std::make_unique<EchoServer>(socket);
    channel = grpc::CreateChannel("unix:" + socket, grpc::InsecureChannelCredentials());
    service = {&queue, test::Echo::NewStub(channel)};
  }
  ~EchoFixture() override {
    service.stub.reset();
    channel.reset();
    server.reset();
    std::filesystem::remove_all(folder_);
  }
  static test::SayRequest text(std::string value) {
    test::SayRequest request;
    request.set_text(std::move(value));
    return request;
  }
  static test::SayRequest hang() {
    test::SayRequest request;
    request.set_hang(true);
    return request;
  }
  static test::SayRequest failing(grpc::StatusCode code) {
    test::SayRequest request;
    request.set_fail_with(code);
    return request;
  }
  void run(boost::asio::awaitable<void> task) {
    tasks.spawn("test", std::move(task));
    loop.run();
    loop.restart();
  }
  bool server_saw_the_cancel() {
    const SteadyTime limit = clock.steady_now() + 10s;
    while (server->cancelled == 0 && clock.steady_now() < limit) std::this_thread::yield();
    return server->cancelled > 0;
  }

  std::string socket;
  std::unique_ptr<EchoServer> server;
  std::shared_ptr<grpc::Channel> channel;
  RealClock clock;
  boost::asio::io_context loop{1};
  GrpcQueue queue{loop.get_executor()};
  GrpcService<Rpc> service;
  std::vector<std::string> log;
  TaskGroup tasks{loop.get_executor(), [](std::string_view, std::exception_ptr) { FAIL(); }};

 private:
  std::string folder_;
};

}  // namespace berth
