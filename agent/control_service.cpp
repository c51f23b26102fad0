#include "agent/control_service.hpp"

#include <chrono>

#include <boost/system/system_error.hpp>

#include "control/status_code.hpp"

namespace berth::agent {
namespace {

// As many calls that go on as any honest set of terminals opens.
constexpr std::size_t kSessionsMax = 256;

grpc::Status stopping_status() {
  return {grpc::StatusCode::UNAVAILABLE, "berthd is stopping; try again"};
}

}  // namespace

ControlService::ControlService(ControlSources sources, TaskGroup::FailureHandler on_failure)
    : sources_(std::move(sources)),
      on_failure_(on_failure),
      attendants_(sources_.executor, std::move(on_failure)) {}

ControlService::~ControlService() = default;

boost::asio::awaitable<void> ControlService::stop() {
  stopping_ = true;
  for (const auto& session : sessions_) session->tasks.request_stop();
  // Attendants end with their sessions.
  co_await attendants_.join();
}

template <class Request, class Reply>
ControlService::Unary* ControlService::answer_on_loop(Context* context, const Request* request,
                                                      Reply* reply) {
  // Context, request and reply live until Finish.
  auto* reactor = context->DefaultReactor();
  boost::asio::post(sources_.executor, [this, reactor, request, reply] {
    if (stopping_) {
      reactor->Finish(stopping_status());
      return;
    }
    const auto answered = answer(sources_, *request, *reply);
    reactor->Finish(answered ? grpc::Status::OK : control::to_status(answered.error()));
  });
  return reactor;
}

template <class Request, class Reply>
boost::asio::awaitable<void> ControlService::finish_with(Unary* reactor, const Request* request,
                                                         Reply* reply) {
  const auto answered = co_await answer_later(sources_, *request, *reply);
  reactor->Finish(answered ? grpc::Status::OK : control::to_status(answered.error()));
}

template <class Request, class Reply>
ControlService::Unary* ControlService::answer_in_time(const char* name, Context* context,
                                                      const Request* request, Reply* reply) {
  auto* reactor = context->DefaultReactor();
  boost::asio::post(sources_.executor, [this, name, reactor, request, reply] {
    if (stopping_) {
      reactor->Finish(stopping_status());
      return;
    }
    attendants_.spawn(name, finish_with(reactor, request, reply));
  });
  return reactor;
}

template <class Stream>
boost::asio::awaitable<void> ControlService::run(std::shared_ptr<Stream> stream,
                                                 boost::asio::awaitable<Result<Ended>> call,
                                                 std::shared_ptr<Session> session) {
  auto status = stopping_status();
  try {
    const auto ended = co_await std::move(call);
    status = ended ? grpc::Status::OK : control::to_status(ended.error());
  } catch (const boost::system::system_error& error) {
    // Cancelled: the caller went away, or berthd is stopping.
    if (error.code() != boost::asio::error::operation_aborted) {
      status = {grpc::StatusCode::INTERNAL, error.what()};
    }
  }
  stream->finish(status);
  // The helpers have nothing to help any more.
  session->tasks.request_stop();
}

boost::asio::awaitable<void> ControlService::attend(std::shared_ptr<Session> session) {
  co_await session->tasks.join();
  sessions_.remove(session);
}

template <class Stream, class Begin>
void ControlService::go_on(const char* name, std::shared_ptr<Stream> stream, Begin begin) {
  stream->hold(stream);
  boost::asio::post(sources_.executor, [this, name, stream, begin = std::move(begin)] {
    if (stopping_ || sessions_.size() >= kSessionsMax) {
      stream->finish(stopping_ ? stopping_status()
                               : grpc::Status(grpc::StatusCode::RESOURCE_EXHAUSTED,
                                              "too many watches and sessions at once"));
      return;
    }
    auto session = std::make_shared<Session>(sources_.executor, on_failure_);
    sessions_.push_back(session);
    session->tasks.spawn(name, run(stream, begin(*session), session));
    std::weak_ptr<Session> weak = session;
    stream->on_cancel([weak] {
      if (const auto alive = weak.lock()) alive->tasks.request_stop();
    });
    attendants_.spawn(name, attend(std::move(session)));
  });
}

ControlService::Unary* ControlService::Version(Context* context,
                                               const wire::VersionRequest* request,
                                               wire::VersionReply* reply) {
  return answer_on_loop(context, request, reply);
}

ControlService::Unary* ControlService::Status(Context* context, const wire::StatusRequest* request,
                                              wire::StatusReply* reply) {
  return answer_in_time("status", context, request, reply);
}

ControlService::Unary* ControlService::Doctor(Context* context, const wire::DoctorRequest* request,
                                              wire::DoctorReply* reply) {
  return answer_in_time("doctor", context, request, reply);
}

ControlService::Unary* ControlService::ListPods(Context* context,
                                                const wire::ListPodsRequest* request,
                                                wire::ListPodsReply* reply) {
  return answer_on_loop(context, request, reply);
}

ControlService::Unary* ControlService::GetPod(Context* context, const wire::GetPodRequest* request,
                                              wire::GetPodReply* reply) {
  return answer_on_loop(context, request, reply);
}

ControlService::Unary* ControlService::DescribePod(Context* context,
                                                   const wire::DescribePodRequest* request,
                                                   wire::DescribePodReply* reply) {
  return answer_on_loop(context, request, reply);
}

ControlService::Unary* ControlService::DeletePod(Context* context,
                                                 const wire::DeletePodRequest* request,
                                                 wire::DeletePodReply* reply) {
  return answer_in_time("delete", context, request, reply);
}

ControlService::Unary* ControlService::SetCondition(Context* context,
                                                    const wire::SetConditionRequest* request,
                                                    wire::SetConditionReply* reply) {
  return answer_in_time("set condition", context, request, reply);
}

ControlService::Unary* ControlService::ListEvents(Context* context,
                                                  const wire::ListEventsRequest* request,
                                                  wire::ListEventsReply* reply) {
  return answer_on_loop(context, request, reply);
}

ControlService::Unary* ControlService::ListProbes(Context* context,
                                                  const wire::ListProbesRequest* request,
                                                  wire::ListProbesReply* reply) {
  return answer_on_loop(context, request, reply);
}

ControlService::Unary* ControlService::GetNode(Context* context,
                                               const wire::GetNodeRequest* request,
                                               wire::GetNodeReply* reply) {
  return answer_on_loop(context, request, reply);
}

grpc::ServerWriteReactor<wire::PodChange>* ControlService::WatchPods(
    Context* /*context*/, const wire::WatchPodsRequest* request) {
  auto stream = std::make_shared<ServerStream<wire::PodChange>>(sources_.executor);
  go_on("watch pods", stream, [this, stream, asked = *request](Session& /*session*/) {
    return watch_pods(sources_, asked, stream);
  });
  return stream.get();
}

grpc::ServerWriteReactor<wire::EventChange>* ControlService::WatchEvents(
    Context* /*context*/, const wire::ListEventsRequest* request) {
  auto stream = std::make_shared<ServerStream<wire::EventChange>>(sources_.executor);
  go_on("watch events", stream, [this, stream, asked = *request](Session& /*session*/) {
    return watch_events(sources_, asked, stream);
  });
  return stream.get();
}

grpc::ServerWriteReactor<wire::WhyReply>* ControlService::Why(Context* /*context*/,
                                                              const wire::WhyRequest* request) {
  auto stream = std::make_shared<ServerStream<wire::WhyReply>>(sources_.executor);
  go_on("why", stream, [this, stream, asked = *request](Session& /*session*/) {
    return tell_why(sources_, asked, stream);
  });
  return stream.get();
}

grpc::ServerWriteReactor<wire::LogsReply>* ControlService::Logs(Context* /*context*/,
                                                                const wire::LogsRequest* request) {
  auto stream = std::make_shared<ServerStream<wire::LogsReply>>(sources_.executor);
  go_on("logs", stream, [this, stream, asked = *request](Session& session) {
    return send_logs(sources_, asked, stream, session.tasks);
  });
  return stream.get();
}

grpc::ServerBidiReactor<wire::ExecRequest, wire::ExecReply>* ControlService::Exec(
    Context* /*context*/) {
  auto stream = std::make_shared<BidiStream<wire::ExecRequest, wire::ExecReply>>(sources_.executor);
  go_on("exec", stream,
        [this, stream](Session& session) { return run_exec(sources_, stream, session.tasks); });
  return stream.get();
}

}  // namespace berth::agent
