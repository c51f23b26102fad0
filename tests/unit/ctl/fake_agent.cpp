// SPDX-License-Identifier: Apache-2.0

#include "fake_agent.hpp"

#include <unistd.h>

#include <boost/json.hpp>

#include "control/exec_opened.hpp"

namespace berth::ctl {
namespace {

std::string name_in(const std::string& json) {
  return boost::json::parse(json).at("metadata").at("name").as_string().c_str();
}

grpc::Status found(const std::string& name, bool is_there) {
  if (name.empty() || is_there) return grpc::Status::OK;
  return {grpc::StatusCode::NOT_FOUND, "pod \"" + name + "\" not found"};
}

}  // namespace

FakeAgent::FakeAgent() {
  std::string pattern = std::filesystem::temp_directory_path() / "berth-ctl-XXXXXX";
  folder_ = ::mkdtemp(pattern.data());
  socket_ = folder_ + "/berthd.sock";
  grpc::ServerBuilder builder;
  builder.AddListeningPort("unix:" + socket_, grpc::InsecureServerCredentials());
  builder.RegisterService(this);
  server_ = builder.BuildAndStart();
}

FakeAgent::~FakeAgent() {
  {
    const std::scoped_lock lock(mutex_);
    over_ = true;
  }
  over_changed_.notify_all();
  server_->Shutdown();
  std::filesystem::remove_all(folder_);
}

bool FakeAgent::kept_silent() {
  if (!silent) return false;
  std::unique_lock lock(mutex_);
  over_changed_.wait(lock, [this] { return over_; });
  return true;
}

void FakeAgent::pause(std::chrono::milliseconds span) {
  std::unique_lock lock(mutex_);
  over_changed_.wait_for(lock, span, [this] { return over_; });
}

grpc::Status FakeAgent::Version(Context*, const wire::VersionRequest*, wire::VersionReply* reply) {
  *reply = version;
  return grpc::Status::OK;
}

grpc::Status FakeAgent::Status(Context*, const wire::StatusRequest*, wire::StatusReply* reply) {
  *reply = status;
  return grpc::Status::OK;
}

grpc::Status FakeAgent::Doctor(Context*, const wire::DoctorRequest*, wire::DoctorReply* reply) {
  *reply = doctor;
  return grpc::Status::OK;
}

grpc::Status FakeAgent::Reload(Context*, const wire::ReloadRequest*, wire::ReloadReply* reply) {
  *reply = reload;
  return grpc::Status::OK;
}

grpc::Status FakeAgent::ListPods(Context*, const wire::ListPodsRequest* request,
                                 wire::ListPodsReply* reply) {
  list_request = *request;
  if (kept_silent()) return grpc::Status::CANCELLED;
  if (!refusal.ok()) return refusal;
  for (const auto& pod : pods) reply->add_pods_json(pod);
  return grpc::Status::OK;
}

grpc::Status FakeAgent::GetPod(Context*, const wire::GetPodRequest* request,
                               wire::GetPodReply* reply) {
  for (const auto& pod : pods) {
    if (name_in(pod) != request->name()) continue;
    reply->set_pod_json(pod);
    return grpc::Status::OK;
  }
  return found(request->name(), false);
}

grpc::Status FakeAgent::EvictPod(Context*, const wire::EvictPodRequest* request,
                                 wire::EvictPodReply* reply) {
  evict_requests.push_back(*request);
  if (!refusal.ok()) return refusal;
  for (const auto& pod : pods) {
    if (name_in(pod) != request->name()) continue;
    reply->set_name(request->name());
    reply->set_status_json(
        R"({"kind":"Status","apiVersion":"v1","metadata":{},"status":"Success","code":201})");
    reply->set_why("no budget selects it");
    return grpc::Status::OK;
  }
  return found(request->name(), false);
}

grpc::Status FakeAgent::WatchPods(Context*, const wire::WatchPodsRequest* request,
                                  grpc::ServerWriter<wire::PodChange>* out) {
  watch_request = *request;
  if (kept_silent()) return grpc::Status::CANCELLED;
  wire::PodChange change;
  if (!notice.empty()) {
    change.set_notice(notice);
    out->Write(change);
    change.clear_notice();
  }
  change.set_type(wire::ADDED);
  for (const auto& pod : pods) {
    change.set_pod_json(pod);
    out->Write(change);
  }
  change.set_type(wire::SYNCED);
  out->Write(change);
  return grpc::Status::OK;
}

grpc::Status FakeAgent::ListEvents(Context*, const wire::ListEventsRequest*,
                                   wire::ListEventsReply* reply) {
  for (const auto& event : events) reply->add_events_json(event);
  return grpc::Status::OK;
}

grpc::Status FakeAgent::WatchEvents(Context*, const wire::ListEventsRequest*,
                                    grpc::ServerWriter<wire::EventChange>* out) {
  wire::EventChange change;
  change.set_type(wire::ADDED);
  for (const auto& event : events) {
    change.set_event_json(event);
    out->Write(change);
  }
  change.set_type(wire::SYNCED);
  out->Write(change);
  return grpc::Status::OK;
}

grpc::Status FakeAgent::GetNode(Context*, const wire::GetNodeRequest*, wire::GetNodeReply* reply) {
  reply->set_node_json(nodes.front());
  return grpc::Status::OK;
}

// Every pod has one probe.
grpc::Status FakeAgent::ListProbes(Context*, const wire::ListProbesRequest* request,
                                   wire::ListProbesReply* reply) {
  probes_requests.push_back(*request);
  for (const auto& pod : pods)
    if (request->name().empty() || name_in(pod) == request->name())
      reply->add_probes()->set_pod(name_in(pod));
  return found(request->name(), !reply->probes().empty());
}

grpc::Status FakeAgent::TopPods(Context*, const wire::TopPodsRequest* request,
                                wire::TopPodsReply* reply) {
  top_requests.push_back(*request);
  for (const auto& pod : pods)
    if (request->name().empty() || name_in(pod) == request->name())
      reply->add_pods()->set_name(name_in(pod));
  return found(request->name(), !reply->pods().empty());
}

grpc::Status FakeAgent::ExplainEvictions(Context*, const wire::ExplainEvictionsRequest*,
                                         wire::ExplainEvictionsReply* reply) {
  if (!refusal.ok()) return refusal;
  *reply = evictions;
  return grpc::Status::OK;
}

grpc::Status FakeAgent::SimulateEvictions(Context*, const wire::SimulateEvictionsRequest* request,
                                          wire::SimulateEvictionsReply* reply) {
  if (!refusal.ok()) return refusal;
  simulate_request = *request;
  *reply = simulation;
  return grpc::Status::OK;
}

grpc::Status FakeAgent::WatchNode(Context*, const wire::GetNodeRequest*,
                                  grpc::ServerWriter<wire::NodeChange>* out) {
  wire::NodeChange change;
  for (const auto& node : nodes) {
    const bool first = &node == &nodes.front();
    change.set_type(first ? wire::ADDED : wire::MODIFIED);
    change.set_node_json(node);
    out->Write(change);
    if (!first) continue;
    change.set_type(wire::SYNCED);
    out->Write(change);
  }
  return grpc::Status::OK;
}

grpc::Status FakeAgent::Exec(Context* call,
                             grpc::ServerReaderWriter<wire::ExecReply, wire::ExecRequest>* stream) {
  if (kept_silent()) return grpc::Status::CANCELLED;
  if (older) {
    stream->SendInitialMetadata();
    std::string input;
    for (wire::ExecRequest request; stream->Read(&request) && !request.has_stdin_end();)
      input += request.stdin();
    wire::ExecReply reply;
    reply.set_stdout(input);
    stream->Write(reply);
    reply.mutable_result()->set_exit_code(0);
    stream->Write(reply);
    return grpc::Status::OK;
  }
  call->AddInitialMetadata(control::kReportsOpened, "1");
  stream->SendInitialMetadata();
  if (!refusal.ok()) return refusal;
  pause(pause_once_taken);
  wire::ExecReply reply;
  reply.mutable_opened();
  stream->Write(reply);
  reply.mutable_result()->set_exit_code(7);
  stream->Write(reply);
  return grpc::Status::OK;
}

grpc::Status FakeAgent::Logs(Context*, const wire::LogsRequest* request,
                             grpc::ServerWriter<wire::LogsReply>* out) {
  logs_request = *request;
  if (kept_silent()) return grpc::Status::CANCELLED;
  out->SendInitialMetadata();
  for (const auto& piece : log) {
    pause(pause_once_taken);
    wire::LogsReply reply;
    reply.set_data(piece);
    out->Write(reply);
  }
  return grpc::Status::OK;
}

}  // namespace berth::ctl
