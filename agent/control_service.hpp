// The gRPC service: each call hops onto the loop and is owned there until it is over.
#pragma once

#include <list>
#include <memory>
#include <string>

#include "agent/control_calls.hpp"
#include "agent/control_streams.hpp"
#include "control/control.grpc.pb.h"

namespace berth::agent {

class ControlService final : public wire::Control::CallbackService {
 public:
  ControlService(ControlSources sources, TaskGroup::FailureHandler on_failure);
  ~ControlService() override;

  // Refuses new calls, cancels and joins the ones that go on. On the loop.
  [[nodiscard]] boost::asio::awaitable<void> stop();

 private:
  using Unary = grpc::ServerUnaryReactor;
  using Context = grpc::CallbackServerContext;

  // A call that goes on, with the tasks it is made of.
  struct Session {
    Session(boost::asio::any_io_executor executor, TaskGroup::FailureHandler on_failure)
        : tasks(std::move(executor), std::move(on_failure)) {}
    TaskGroup tasks;
  };

  template <class Request, class Reply>
  Unary* answer_on_loop(Context* context, const Request* request, Reply* reply);
  // The same for calls that wait for something, two seconds at most.
  template <class Request, class Reply>
  Unary* answer_in_time(const char* name, Context* context, const Request* request, Reply* reply);
  template <class Request, class Reply>
  boost::asio::awaitable<void> finish_with(Unary* reactor, const Request* request, Reply* reply);
  // Owns `begin(session)`, a coroutine that ends with the call's status, until it and its helpers
  // are over.
  template <class Stream, class Begin>
  void go_on(const char* name, std::shared_ptr<Stream> stream, Begin begin);
  template <class Stream>
  static boost::asio::awaitable<void> run(std::shared_ptr<Stream> stream,
                                          boost::asio::awaitable<Result<Ended>> call,
                                          std::shared_ptr<Session> session);
  boost::asio::awaitable<void> attend(std::shared_ptr<Session> session);

  Unary* Version(Context*, const wire::VersionRequest*, wire::VersionReply*) override;
  Unary* Status(Context*, const wire::StatusRequest*, wire::StatusReply*) override;
  Unary* Doctor(Context*, const wire::DoctorRequest*, wire::DoctorReply*) override;
  Unary* ListPods(Context*, const wire::ListPodsRequest*, wire::ListPodsReply*) override;
  Unary* GetPod(Context*, const wire::GetPodRequest*, wire::GetPodReply*) override;
  Unary* DescribePod(Context*, const wire::DescribePodRequest*, wire::DescribePodReply*) override;
  Unary* DeletePod(Context*, const wire::DeletePodRequest*, wire::DeletePodReply*) override;
  Unary* SetCondition(Context*, const wire::SetConditionRequest*,
                      wire::SetConditionReply*) override;
  Unary* ListEvents(Context*, const wire::ListEventsRequest*, wire::ListEventsReply*) override;
  Unary* ListProbes(Context*, const wire::ListProbesRequest*, wire::ListProbesReply*) override;
  Unary* GetNode(Context*, const wire::GetNodeRequest*, wire::GetNodeReply*) override;
  grpc::ServerWriteReactor<wire::PodChange>* WatchPods(Context*,
                                                       const wire::WatchPodsRequest*) override;
  grpc::ServerWriteReactor<wire::EventChange>* WatchEvents(Context*,
                                                           const wire::ListEventsRequest*) override;
  grpc::ServerWriteReactor<wire::WhyReply>* Why(Context*, const wire::WhyRequest*) override;
  grpc::ServerWriteReactor<wire::LogsReply>* Logs(Context*, const wire::LogsRequest*) override;
  grpc::ServerBidiReactor<wire::ExecRequest, wire::ExecReply>* Exec(Context*) override;

  ControlSources sources_;
  TaskGroup::FailureHandler on_failure_;
  TaskGroup attendants_;
  std::list<std::shared_ptr<Session>> sessions_{};
  bool stopping_ = false;
};

}  // namespace berth::agent
