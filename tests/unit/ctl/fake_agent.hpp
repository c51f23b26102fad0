// SPDX-License-Identifier: Apache-2.0

// A control socket with no agent behind it: records berthctl's requests, and answers as the test
// has set.
#pragma once

#include <chrono>
#include <condition_variable>
#include <filesystem>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include <grpcpp/grpcpp.h>

#include "control/control.grpc.pb.h"

namespace berth::ctl {

namespace wire = control::v1;

class FakeAgent final : public wire::Control::Service {
 public:
  FakeAgent();
  FakeAgent(const FakeAgent&) = delete;
  FakeAgent& operator=(const FakeAgent&) = delete;
  ~FakeAgent() override;

  [[nodiscard]] const std::string& socket() const { return socket_; }

  // Its answers.
  std::vector<std::string> pods{};
  std::vector<std::string> events{};
  std::vector<std::string> nodes{};  // a watch sends one after another
  wire::ExplainEvictionsReply evictions{};
  wire::SimulateEvictionsReply simulation{};
  wire::StatusReply status{};
  wire::DoctorReply doctor{};
  wire::VersionReply version{};
  wire::ReloadReply reload{};
  std::vector<std::string> log{};                // in pieces
  std::chrono::milliseconds pause_once_taken{};  // before each piece, or the end of a command
  std::string notice{};                          // before the pods of a watch
  grpc::Status refusal{};                        // for lists and commands, unless it is OK
  bool silent = false;                           // never answers
  bool older = false;                            // does not report that a command was accepted

  // The requests it received.
  std::vector<wire::ListProbesRequest> probes_requests{};
  std::vector<wire::TopPodsRequest> top_requests{};
  std::vector<wire::EvictPodRequest> evict_requests{};
  std::optional<wire::LogsRequest> logs_request{};
  std::optional<wire::WatchPodsRequest> watch_request{};
  std::optional<wire::ListPodsRequest> list_request{};
  std::optional<wire::SimulateEvictionsRequest> simulate_request{};

 private:
  using Context = grpc::ServerContext;
  grpc::Status Version(Context* call, const wire::VersionRequest* request,
                       wire::VersionReply* reply) override;
  grpc::Status Status(Context* call, const wire::StatusRequest* request,
                      wire::StatusReply* reply) override;
  grpc::Status Reload(Context* call, const wire::ReloadRequest* request,
                      wire::ReloadReply* reply) override;
  grpc::Status Doctor(Context* call, const wire::DoctorRequest* request,
                      wire::DoctorReply* reply) override;
  grpc::Status ListPods(Context* call, const wire::ListPodsRequest* request,
                        wire::ListPodsReply* reply) override;
  grpc::Status GetPod(Context* call, const wire::GetPodRequest* request,
                      wire::GetPodReply* reply) override;
  grpc::Status EvictPod(Context* call, const wire::EvictPodRequest* request,
                        wire::EvictPodReply* reply) override;
  grpc::Status WatchPods(Context* call, const wire::WatchPodsRequest* request,
                         grpc::ServerWriter<wire::PodChange>* out) override;
  grpc::Status ListEvents(Context* call, const wire::ListEventsRequest* request,
                          wire::ListEventsReply* reply) override;
  grpc::Status WatchEvents(Context* call, const wire::ListEventsRequest* request,
                           grpc::ServerWriter<wire::EventChange>* out) override;
  grpc::Status GetNode(Context* call, const wire::GetNodeRequest* request,
                       wire::GetNodeReply* reply) override;
  grpc::Status WatchNode(Context* call, const wire::GetNodeRequest* request,
                         grpc::ServerWriter<wire::NodeChange>* out) override;
  grpc::Status ListProbes(Context* call, const wire::ListProbesRequest* request,
                          wire::ListProbesReply* reply) override;
  grpc::Status TopPods(Context* call, const wire::TopPodsRequest* request,
                       wire::TopPodsReply* reply) override;
  grpc::Status ExplainEvictions(Context* call, const wire::ExplainEvictionsRequest* request,
                                wire::ExplainEvictionsReply* reply) override;
  grpc::Status SimulateEvictions(Context* call, const wire::SimulateEvictionsRequest* request,
                                 wire::SimulateEvictionsReply* reply) override;
  grpc::Status Logs(Context* call, const wire::LogsRequest* request,
                    grpc::ServerWriter<wire::LogsReply>* out) override;
  grpc::Status Exec(Context* call,
                    grpc::ServerReaderWriter<wire::ExecReply, wire::ExecRequest>* stream) override;

  // If it was set to be silent, waits until the test is over and returns true.
  bool kept_silent();
  void pause(std::chrono::milliseconds span);

  std::string folder_;
  std::string socket_;
  std::mutex mutex_;
  std::condition_variable over_changed_;
  bool over_ = false;
  std::unique_ptr<grpc::Server> server_;
};

}  // namespace berth::ctl
