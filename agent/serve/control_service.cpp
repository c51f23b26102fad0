// SPDX-License-Identifier: Apache-2.0

#include "agent/serve/control_service.hpp"

#include <algorithm>
#include <fstream>
#include <utility>

#include <boost/system/system_error.hpp>

#include "agent/serve/follow_limits.hpp"
#include "control/exec_opened.hpp"
#include "control/status_code.hpp"

namespace berth::agent {
namespace {

// More streaming calls than any reasonable set of terminals opens; no user may take them all.
constexpr std::size_t kSessionsMax = 512;
constexpr std::size_t kSessionsOfUser = 256;

grpc::Status stopping_status() {
  return {grpc::StatusCode::UNAVAILABLE, "berthd is stopping; try again"};
}

std::size_t inotify_instances() {
  constexpr std::size_t kDefault = 128;
  std::size_t most = 0;
  return std::ifstream("/proc/sys/fs/inotify/max_user_instances") >> most ? most : kDefault;
}

boost::asio::awaitable<Result<Ended>> refuse(Error why) {
  co_return fail(std::move(why));
}

template <class Value>
grpc::Status status_of(const Result<Value>& ended) {
  return ended ? grpc::Status::OK : control::to_status(ended.error());
}

}  // namespace

ControlService::ControlService(GrpcQueue& queue, ControlCallers& callers, ControlSources sources,
                               TaskGroup::FailureHandler on_failure)
    : queue_(queue),
      callers_(callers),
      sources_(std::move(sources)),
      on_failure_(on_failure),
      exec_turns_(sources_.executor),
      takers_(sources_.executor, on_failure),
      attendants_(sources_.executor, std::move(on_failure)) {}

ControlService::~ControlService() = default;

void ControlService::start() {
  at_once(&Rpc::RequestVersion);
  in_time("status", &Rpc::RequestStatus);
  in_time("reload", &Rpc::RequestReload);
  in_time("doctor", &Rpc::RequestDoctor);
  once_known("list pods", &Rpc::RequestListPods);
  once_known("get pod", &Rpc::RequestGetPod);
  in_time("describe pod", &Rpc::RequestDescribePod);
  in_time("delete", &Rpc::RequestDeletePod);
  in_time("evict", &Rpc::RequestEvictPod);
  in_time("set condition", &Rpc::RequestSetCondition);
  at_once(&Rpc::RequestListEvents);
  in_time("explain evictions", &Rpc::RequestExplainEvictions);
  in_time("list evictions", &Rpc::RequestListEvictions);
  in_time("simulate evictions", &Rpc::RequestSimulateEvictions);
  in_time("top pods", &Rpc::RequestTopPods);
  in_time("plan shutdown", &Rpc::RequestPlanShutdown);
  once_known("list probes", &Rpc::RequestListProbes);
  once_known("list budgets", &Rpc::RequestListBudgets);
  at_once(&Rpc::RequestGetNode);
  going_on("watch pods", &Rpc::RequestWatchPods, [this](auto call, Session& /*session*/) {
    return watch_pods(sources_, call->request, call);
  });
  going_on("watch events", &Rpc::RequestWatchEvents, [this](auto call, Session& /*session*/) {
    return watch_events(sources_, call->request, call);
  });
  going_on("watch node", &Rpc::RequestWatchNode,
           [this](auto call, Session& /*session*/) { return watch_node(sources_, call); });
  going_on("why", &Rpc::RequestWhy, [this](auto call, Session& /*session*/) {
    return stream_why(sources_, call->request, call);
  });
  going_on("logs", &Rpc::RequestLogs, [this](auto call, Session& session) {
    if (call->request.follow())
      if (auto full = begin_following(session)) return refuse(std::move(*full));
    return send_logs(sources_, call->request, call, session.tasks);
  });
  going_on("exec", &Rpc::RequestExec, [this](auto call, Session& session) {
    return run_exec(sources_, exec_turns_, call, session.tasks);
  });
}

boost::asio::awaitable<void> ControlService::stop() {
  stopping_ = true;
  for (const auto& session : sessions_) session->tasks.request_stop();
  // Attendants end with their sessions.
  co_await attendants_.join();
}

boost::asio::awaitable<void> ControlService::join() {
  co_await takers_.join();
}

template <class Call, class Method, class Begin>
void ControlService::take(Method method, Begin begin) {
  auto attributed = [this, begin = std::move(begin)](const std::shared_ptr<Call>& call) {
    call->attribute(callers_);
    begin(call);
  };
  takers_.spawn("control calls", accept_calls<Call>(sources_.executor, queue_, wire_, method,
                                                    std::move(attributed)));
}

template <class Service, class Request, class Reply>
void ControlService::at_once(UnaryRpc<Service, Request, Reply> method) {
  using Call = UnaryCall<Request, Reply>;
  take<Call>(method, [this](const std::shared_ptr<Call>& call) {
    call->finish(stopping_ ? stopping_status()
                           : status_of(answer(sources_, call->request, call->reply)));
  });
}

template <class Service, class Request, class Reply>
void ControlService::once_known(const char* name, UnaryRpc<Service, Request, Reply> method) {
  using Call = UnaryCall<Request, Reply>;
  take<Call>(method, [this, name](const std::shared_ptr<Call>& call) {
    if (stopping_) return call->finish(stopping_status());
    if (sources_.known.yet())
      return call->finish(status_of(answer(sources_, call->request, call->reply)));
    attendants_.spawn(name, finish_once_known(call));
  });
}

template <class Request, class Reply>
boost::asio::awaitable<void> ControlService::finish_once_known(
    std::shared_ptr<UnaryCall<Request, Reply>> call) {
  co_await until_known(sources_);
  call->finish(status_of(answer(sources_, call->request, call->reply)));
}

template <class Service, class Request, class Reply>
void ControlService::in_time(const char* name, UnaryRpc<Service, Request, Reply> method) {
  using Call = UnaryCall<Request, Reply>;
  take<Call>(method, [this, name](const std::shared_ptr<Call>& call) {
    if (stopping_) return call->finish(stopping_status());
    attendants_.spawn(name, finish_later(call));
  });
}

template <class Request, class Reply>
boost::asio::awaitable<void> ControlService::finish_later(
    std::shared_ptr<UnaryCall<Request, Reply>> call) {
  const auto answered = co_await answer_later(sources_, call->request, call->reply);
  call->finish(status_of(answered));
}

template <class Service, class Request, class Reply, class Begin>
void ControlService::going_on(const char* name, StreamRpc<Service, Request, Reply> method,
                              Begin begin) {
  using Call = StreamCall<Request, Reply>;
  take<Call>(method,
             [this, name, begin](const std::shared_ptr<Call>& call) { go_on(name, call, begin); });
}

template <class Service, class Request, class Reply, class Begin>
void ControlService::going_on(const char* name, BidiRpc<Service, Request, Reply> method,
                              Begin begin) {
  using Call = BidiStream<Request, Reply>;
  // Exec is the one call of this kind.
  take<Call>(method, [this, name, begin](const std::shared_ptr<Call>& call) {
    call->promise(control::kReportsOpened);
    go_on(name, call, begin);
  });
}

template <class Call>
boost::asio::awaitable<void> ControlService::run(std::shared_ptr<Call> call,
                                                 boost::asio::awaitable<Result<Ended>> going,
                                                 std::shared_ptr<Session> session) {
  auto status = stopping_status();
  try {
    const auto ended = co_await std::move(going);
    status = status_of(ended);
  } catch (const boost::system::system_error& error) {
    // Cancelled: the caller went away, or berthd is stopping.
    if (error.code() != boost::asio::error::operation_aborted) {
      status = {grpc::StatusCode::INTERNAL, error.what()};
    }
  }
  call->finish(status);
  // The helpers are no longer needed.
  session->tasks.request_stop();
}

boost::asio::awaitable<void> ControlService::attend(std::shared_ptr<Session> session) {
  co_await session->tasks.join();
  sessions_.remove(session);
}

grpc::Status ControlService::room_for(std::optional<uid_t> user) const {
  if (stopping_) return stopping_status();
  const auto of_user =
      std::ranges::count_if(sessions_, [&](const auto& session) { return session->user == user; });
  if (sessions_.size() < kSessionsMax && std::cmp_less(of_user, kSessionsOfUser))
    return grpc::Status::OK;
  return {grpc::StatusCode::RESOURCE_EXHAUSTED,
          "too many watches and sessions at once: " + std::to_string(of_user) + " of this user, " +
              std::to_string(sessions_.size()) + " in all; end some of them"};
}

std::optional<Error> ControlService::begin_following(Session& session) {
  const FollowLimits limits = follow_limits(inotify_instances());
  std::size_t all = 0;
  std::size_t of_user = 0;
  for (const auto& other : sessions_) {
    if (!other->follows_log) continue;
    ++all;
    if (other->user == session.user) ++of_user;
  }
  session.follows_log = all < limits.all && of_user < limits.of_user;
  if (session.follows_log) return std::nullopt;
  return Error{.code = ErrorCode::kUnknown,
               .message = "too many logs are followed at once: " + std::to_string(of_user) +
                          " by this user, " + std::to_string(all) +
                          " in all; end some of them, or raise fs.inotify.max_user_instances, of "
                          "which half is for this"};
}

template <class Call, class Begin>
void ControlService::go_on(const char* name, std::shared_ptr<Call> call, const Begin& begin) {
  call->begin();
  const auto user = call->user();
  const auto room = room_for(user);
  if (!room.ok()) return call->finish(room);
  auto session = std::make_shared<Session>(sources_.executor, user, on_failure_);
  sessions_.push_back(session);
  session->tasks.spawn(name, run(call, begin(call, *session), session));
  std::weak_ptr<Session> weak = session;
  call->on_cancel([weak] {
    if (const auto alive = weak.lock()) alive->tasks.request_stop();
  });
  attendants_.spawn(name, attend(std::move(session)));
}

}  // namespace berth::agent
