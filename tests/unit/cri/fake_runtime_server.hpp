// SPDX-License-Identifier: Apache-2.0

// A runtime in this process, on a unix socket: answers as the test has set, and records its calls.
// Its callbacks run on gRPC's threads, hence the lock.
#pragma once

#include <grpc/support/time.h>
#include <unistd.h>

#include <condition_variable>
#include <deque>
#include <filesystem>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <string>

#include <grpcpp/grpcpp.h>

#include "cri/containerd_events.grpc.pb.h"
#include "cri/containerd_tasks.pb.h"
#include "cri/cri.grpc.pb.h"

namespace berth::cri {

namespace pb = runtime::v1;
using containerd::services::events::v1::Envelope;
using containerd::services::events::v1::SubscribeRequest;

// Streams of one kind: messages go to all open ones.
template <class Message>
class FakeStreams {
 public:
  struct Reactor final : grpc::ServerWriteReactor<Message> {
    explicit Reactor(FakeStreams& owner) : streams(owner) {}
    void OnWriteDone(bool ok) override { streams.written(this, ok); }
    void OnCancel() override { streams.finish(this, grpc::Status::CANCELLED); }
    void OnDone() override { streams.done(this); }
    FakeStreams& streams;
    std::deque<Message> queue;
    std::optional<grpc::Status> end;
    bool writing = false;
    bool finished = false;
  };

  grpc::ServerWriteReactor<Message>* open() {
    const std::lock_guard lock(mutex_);
    auto* reactor = std::make_unique<Reactor>(*this).release();
    open_.insert(reactor);
    ++opened_;
    changed_.notify_all();
    return reactor;
  }
  void send(const Message& message) {
    const std::lock_guard lock(mutex_);
    for (auto* reactor : open_) {
      reactor->queue.push_back(message);
      advance(*reactor);
    }
  }
  void end_all(const grpc::Status& status) {
    const std::lock_guard lock(mutex_);
    for (auto* reactor : open_) {
      reactor->end = status;
      advance(*reactor);
    }
  }
  int opened() {
    const std::lock_guard lock(mutex_);
    return opened_;
  }
  void wait_until_all_are_done() {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [this] { return open_.empty(); });
  }

 private:
  void written(Reactor* reactor, bool ok) {
    const std::lock_guard lock(mutex_);
    reactor->writing = false;
    if (ok) {
      reactor->queue.pop_front();
    } else {
      reactor->queue.clear();
    }
    advance(*reactor);
  }
  void finish(Reactor* reactor, const grpc::Status& status) {
    const std::lock_guard lock(mutex_);
    reactor->end = status;
    reactor->queue.resize(reactor->writing ? 1 : 0);
    advance(*reactor);
  }
  void done(Reactor* reactor) {
    const std::lock_guard lock(mutex_);
    open_.erase(reactor);
    changed_.notify_all();
    delete reactor;
  }
  static void advance(Reactor& reactor) {
    if (reactor.writing || reactor.finished) return;
    if (!reactor.queue.empty()) {
      reactor.writing = true;
      reactor.StartWrite(&reactor.queue.front());
    } else if (reactor.end) {
      reactor.finished = true;
      reactor.Finish(*reactor.end);
    }
  }

  std::mutex mutex_;
  std::condition_variable changed_;
  std::set<Reactor*> open_;
  int opened_ = 0;
};

class FakeRuntimeServer final : public pb::RuntimeService::CallbackService {
 public:
  struct ImageAnswers {
    bool present = true;
    std::map<std::string, grpc::Status> pulls_by_user{};  // others succeed
    bool pulls_name_the_image = true;
  };
  enum class Events { kSent, kUnimplemented, kEndedAtOnce };
  // Its features, and the results of its calls; set these before it is called.
  Events container_events = Events::kSent;
  bool containerd_events = true;
  std::string name = "fake";
  std::string version_text = "1.0";
  grpc::Status outcome = grpc::Status::OK;
  std::optional<pb::CgroupDriver> cgroup_driver{};  // unset if it does not implement the call
  ImageAnswers images{};
  std::optional<pb::ContainerStatus> container_status{};  // unset if its answers hold no status

  explicit FakeRuntimeServer(std::string socket) : socket_(std::move(socket)) { start(); }
  ~FakeRuntimeServer() override { stop(); }

  void start() {
    grpc::ServerBuilder builder;
    builder.AddListeningPort("unix:" + socket_, grpc::InsecureServerCredentials());
    builder.RegisterService(static_cast<pb::RuntimeService::CallbackService*>(this));
    builder.RegisterService(&images_);
    builder.RegisterService(&containerd_);
    server_ = builder.BuildAndStart();
  }
  void stop() {
    if (!server_) return;
    cri_streams.end_all(grpc::Status::CANCELLED);
    containerd_streams.end_all(grpc::Status::CANCELLED);
    server_->Shutdown(gpr_inf_past(GPR_CLOCK_REALTIME));
    cri_streams.wait_until_all_are_done();
    containerd_streams.wait_until_all_are_done();
    server_.reset();
  }

  // The seconds that the caller allowed; `std::nullopt` if there was no deadline or no call.
  std::optional<long> limit_of(const std::string& method) {
    const std::lock_guard lock(mutex_);
    return limits_[method];
  }
  bool was_called(const std::string& method) {
    const std::lock_guard lock(mutex_);
    return limits_.contains(method);
  }

  FakeStreams<pb::ContainerEventResponse> cri_streams;
  FakeStreams<Envelope> containerd_streams;
  std::string containerd_filter;

 private:
  using Context = grpc::CallbackServerContext;
  using Unary = grpc::ServerUnaryReactor;

  Unary* answer(Context* context, const std::string& method, const grpc::Status& status) {
    const auto deadline = context->raw_deadline();
    const bool unlimited = gpr_time_cmp(deadline, gpr_inf_future(deadline.clock_type)) == 0;
    const auto left = gpr_time_sub(deadline, gpr_now(deadline.clock_type));
    {
      const std::lock_guard lock(mutex_);
      limits_[method] = std::nullopt;
      if (!unlimited) limits_[method] = left.tv_sec + (left.tv_nsec >= 500'000'000 ? 1 : 0);
    }
    Unary* reactor = context->DefaultReactor();
    reactor->Finish(status);
    return reactor;
  }

  Unary* Version(Context* context, const pb::VersionRequest*, pb::VersionResponse* reply) override {
    reply->set_runtime_name(name);
    reply->set_runtime_version(version_text);
    return answer(context, "Version", outcome);
  }
  Unary* RuntimeConfig(Context* context, const pb::RuntimeConfigRequest*,
                       pb::RuntimeConfigResponse* reply) override {
    if (!cgroup_driver)
      return answer(context, "RuntimeConfig", {grpc::StatusCode::UNIMPLEMENTED, "unknown method"});
    reply->mutable_linux()->set_cgroup_driver(*cgroup_driver);
    return answer(context, "RuntimeConfig", outcome);
  }
  Unary* RunPodSandbox(Context* context, const pb::RunPodSandboxRequest* request,
                       pb::RunPodSandboxResponse* reply) override {
    reply->set_pod_sandbox_id(request->config().metadata().uid());
    return answer(context, "RunPodSandbox", outcome);
  }
  Unary* StopPodSandbox(Context* context, const pb::StopPodSandboxRequest*,
                        pb::StopPodSandboxResponse*) override {
    return answer(context, "StopPodSandbox", outcome);
  }
  Unary* RemovePodSandbox(Context* context, const pb::RemovePodSandboxRequest*,
                          pb::RemovePodSandboxResponse*) override {
    return answer(context, "RemovePodSandbox", outcome);
  }
  Unary* StartContainer(Context* context, const pb::StartContainerRequest*,
                        pb::StartContainerResponse*) override {
    return answer(context, "StartContainer", outcome);
  }
  Unary* StopContainer(Context* context, const pb::StopContainerRequest*,
                       pb::StopContainerResponse*) override {
    return answer(context, "StopContainer", outcome);
  }
  Unary* RemoveContainer(Context* context, const pb::RemoveContainerRequest*,
                         pb::RemoveContainerResponse*) override {
    return answer(context, "RemoveContainer", outcome);
  }
  Unary* ListContainers(Context* context, const pb::ListContainersRequest* request,
                        pb::ListContainersResponse* reply) override {
    // About 6 MB: more than gRPC accepts by default.
    for (int i = 0; i < 6; ++i) {
      auto& container = *reply->add_containers();
      container.set_id(request->filter().label_selector().at("app"));
      (*container.mutable_annotations())["big"] = std::string(1 << 20, 'x');
    }
    return answer(context, "ListContainers", outcome);
  }
  Unary* ContainerStatus(Context* context, const pb::ContainerStatusRequest*,
                         pb::ContainerStatusResponse* reply) override {
    if (container_status) *reply->mutable_status() = *container_status;
    return answer(context, "ContainerStatus", outcome);
  }
  Unary* ExecSync(Context* context, const pb::ExecSyncRequest* request,
                  pb::ExecSyncResponse* reply) override {
    reply->set_stdout(request->cmd(0));
    reply->set_exit_code(7);
    return answer(context, "ExecSync", outcome);
  }
  grpc::ServerWriteReactor<pb::ContainerEventResponse>* GetContainerEvents(
      Context*, const pb::GetEventsRequest*) override {
    auto* stream = cri_streams.open();
    if (container_events == Events::kUnimplemented) refuse(*stream);
    if (container_events == Events::kEndedAtOnce) end(*stream, grpc::Status::OK);
    return stream;
  }

  struct Images final : pb::ImageService::CallbackService {
    explicit Images(FakeRuntimeServer& owner) : runtime(owner) {}
    Unary* ImageStatus(Context* context, const pb::ImageStatusRequest*,
                       pb::ImageStatusResponse* reply) override {
      if (runtime.images.present) reply->mutable_image()->set_id("sha256:1");
      return runtime.answer(context, "ImageStatus", runtime.outcome);
    }
    Unary* PullImage(Context* context, const pb::PullImageRequest* request,
                     pb::PullImageResponse* reply) override {
      if (runtime.images.pulls_name_the_image)
        reply->set_image_ref("pulled by " + request->auth().username());
      const auto found = runtime.images.pulls_by_user.find(request->auth().username());
      return runtime.answer(
          context, "PullImage " + request->auth().username(),
          found == runtime.images.pulls_by_user.end() ? runtime.outcome : found->second);
    }
    FakeRuntimeServer& runtime;
  };

  struct Containerd final : containerd::services::events::v1::Events::CallbackService {
    explicit Containerd(FakeRuntimeServer& owner) : runtime(owner) {}
    grpc::ServerWriteReactor<Envelope>* Subscribe(Context*,
                                                  const SubscribeRequest* request) override {
      runtime.containerd_filter = request->filters(0);
      auto* stream = runtime.containerd_streams.open();
      if (!runtime.containerd_events) refuse(*stream);
      return stream;
    }
    FakeRuntimeServer& runtime;
  };

  template <class Message>
  static void refuse(grpc::ServerWriteReactor<Message>& stream) {
    end(stream, {grpc::StatusCode::UNIMPLEMENTED, "unknown method"});
  }
  template <class Message>
  static void end(grpc::ServerWriteReactor<Message>& stream, const grpc::Status& status) {
    auto& reactor = static_cast<typename FakeStreams<Message>::Reactor&>(stream);
    reactor.finished = true;
    reactor.Finish(status);
  }

  std::string socket_;
  Images images_{*this};
  Containerd containerd_{*this};
  std::mutex mutex_;
  std::map<std::string, std::optional<long>> limits_;
  std::unique_ptr<grpc::Server> server_;
};

// A socket of its own in a folder of its own.
class TemporarySocket {
 public:
  TemporarySocket() {
    std::string pattern = std::filesystem::temp_directory_path() / "berth-cri-XXXXXX";
    folder_ = mkdtemp(pattern.data());
  }
  TemporarySocket(const TemporarySocket&) = delete;
  TemporarySocket& operator=(const TemporarySocket&) = delete;
  ~TemporarySocket() { std::filesystem::remove_all(folder_); }
  [[nodiscard]] std::string path() const { return folder_ + "/runtime.sock"; }

 private:
  std::string folder_;
};

}  // namespace berth::cri
