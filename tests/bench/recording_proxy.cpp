#include "tests/bench/recording_proxy.hpp"

#include <atomic>
#include <mutex>
#include <utility>

#include <grpcpp/create_channel.h>
#include <grpcpp/generic/async_generic_service.h>
#include <grpcpp/generic/generic_stub.h>
#include <grpcpp/security/credentials.h>
#include <grpcpp/security/server_credentials.h>
#include <grpcpp/server.h>
#include <grpcpp/server_builder.h>

#include "base/real_clock.hpp"
#include "tests/bench/call_subject.hpp"

namespace berth::bench {
namespace {

using Bytes = grpc::ByteBuffer;

struct Shared {
  CallTrace& trace;
  RecordingProxy::OnExit on_exit;
  CallSubjects subjects{};
  std::unique_ptr<grpc::GenericStub> runtime{};
};

SteadyTime now() {
  return RealClock{}.steady_now();
}

// gRPC sets these itself.
bool is_reserved(grpc::string_ref key) {
  const std::string name(key.data(), key.size());
  return name.starts_with(":") || name.starts_with("grpc-") || name == "te" ||
         name == "content-type" || name == "user-agent";
}

// One call: two reactors, and what passes between them. Messages go one at a time in each
// direction: the next is read only after the last has been written on.
//
// The call to the runtime is held open until its last read has failed, because new reads are
// started from the other side's callbacks. Only writes to it can come too late: `ended_` says so.
class Relay {
 public:
  Relay(Shared& shared, grpc::GenericCallbackServerContext* context)
      : shared_(shared),
        method_(context->method().substr(context->method().rfind('/') + 1)),
        stream_(method_ == "Subscribe" || method_ == "GetContainerEvents"),
        agent_(*this),
        runtime_(*this) {
    record_ = shared_.trace.begin({.method = method_,
                                   .stream = stream_,
                                   .image = method_ == "ImageStatus" || method_ == "PullImage",
                                   .begin = now()});
    for (const auto& [key, value] : context->client_metadata()) {
      if (is_reserved(key)) continue;
      call_.AddMetadata({key.data(), key.size()}, {value.data(), value.size()});
    }
    call_.set_deadline(context->raw_deadline());
    shared_.runtime->PrepareBidiStreamingCall(&call_, context->method(), {}, &runtime_);
    runtime_.AddHold();
    runtime_.StartRead(&answer_);
    runtime_.StartCall();
    agent_.StartRead(&request_);
  }

  grpc::ServerGenericBidiReactor* reactor() { return &agent_; }

 private:
  // Towards berthd.
  struct AgentSide final : grpc::ServerGenericBidiReactor {
    explicit AgentSide(Relay& owner) : relay(owner) {}
    void OnReadDone(bool ok) override { relay.request_read(ok); }
    void OnWriteDone(bool ok) override { relay.answer_written(ok); }
    void OnCancel() override { relay.call_.TryCancel(); }
    void OnDone() override { relay.side_done(); }
    Relay& relay;
  };

  // Towards the runtime.
  struct RuntimeSide final : grpc::ClientBidiReactor<Bytes, Bytes> {
    explicit RuntimeSide(Relay& owner) : relay(owner) {}
    void OnReadDone(bool ok) override { relay.answer_read(ok); }
    void OnWriteDone(bool ok) override {
      if (ok) relay.agent_.StartRead(&relay.request_);
    }
    void OnDone(const grpc::Status& status) override { relay.runtime_done(status); }
    Relay& relay;
  };

  void request_read(bool ok) {
    if (ok) {
      // Before it is passed on: once the runtime can answer, the subject is the answer's to use.
      subject_ = shared_.subjects.of_request(method_, request_);
      shared_.trace.subject(record_, subject_);
    }
    const std::lock_guard lock(mutex_);
    if (ended_) return;
    if (ok) {
      runtime_.StartWrite(&request_);
    } else {
      runtime_.StartWritesDone();
    }
  }

  void answer_read(bool ok) {
    if (!ok) {
      {
        const std::lock_guard lock(mutex_);
        ended_ = true;
      }
      return runtime_.RemoveHold();
    }
    if (stream_ && shared_.on_exit) {
      if (const auto container = exited_container(method_, answer_)) {
        shared_.on_exit(*container, now());
      }
    }
    if (!stream_) shared_.subjects.learn(method_, subject_, answer_);
    agent_.StartWrite(&answer_);
  }

  void answer_written(bool ok) {
    if (!ok) call_.TryCancel();
    runtime_.StartRead(&answer_);
  }

  void runtime_done(const grpc::Status& status) {
    shared_.trace.end(record_, now(), static_cast<int>(status.error_code()));
    agent_.Finish(status);
    side_done();
  }

  void side_done() {
    if (--sides_ == 0) delete this;
  }

  Shared& shared_;
  std::string method_;
  bool stream_;
  CallTrace::Id record_ = 0;
  CallSubject subject_;
  AgentSide agent_;
  RuntimeSide runtime_;
  grpc::ClientContext call_;
  Bytes request_;
  Bytes answer_;
  std::mutex mutex_;
  bool ended_ = false;
  std::atomic<int> sides_ = 2;
};

class Service final : public grpc::CallbackGenericService {
 public:
  explicit Service(Shared& shared) : shared_(shared) {}
  grpc::ServerGenericBidiReactor* CreateReactor(
      grpc::GenericCallbackServerContext* context) override {
    return (new Relay(shared_, context))->reactor();  // gRPC's way: deleted when both are done
  }

 private:
  Shared& shared_;
};

}  // namespace

struct RecordingProxy::Parts {
  Shared shared;
  Service service{shared};
  std::unique_ptr<grpc::Server> server{};
};

RecordingProxy::RecordingProxy(const std::string& runtime, const std::string& socket,
                               CallTrace& trace, OnExit on_exit)
    : parts_(new Parts{.shared = {.trace = trace, .on_exit = std::move(on_exit)}}) {
  grpc::ChannelArguments arguments;
  arguments.SetMaxReceiveMessageSize(-1);
  arguments.SetInt(GRPC_ARG_ENABLE_HTTP_PROXY, 0);
  arguments.SetInt(GRPC_ARG_USE_LOCAL_SUBCHANNEL_POOL, 1);
  parts_->shared.runtime = std::make_unique<grpc::GenericStub>(
      grpc::CreateCustomChannel(runtime, grpc::InsecureChannelCredentials(), arguments));
  grpc::ServerBuilder builder;
  builder.SetMaxReceiveMessageSize(-1);
  builder.AddListeningPort("unix:" + socket, grpc::InsecureServerCredentials());
  builder.RegisterCallbackGenericService(&parts_->service);
  parts_->server = builder.BuildAndStart();
  if (!parts_->server) throw std::runtime_error("the recording proxy cannot listen on " + socket);
}

RecordingProxy::~RecordingProxy() {
  parts_->server->Shutdown(std::chrono::system_clock::time_point());  // at once
  parts_->server->Wait();
}

}  // namespace berth::bench
