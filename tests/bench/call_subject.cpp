// SPDX-License-Identifier: Apache-2.0

#include "tests/bench/call_subject.hpp"

#include "cri/containerd_events.pb.h"
#include "cri/containerd_tasks.pb.h"
#include "cri/cri.pb.h"

namespace berth::bench {
namespace {

namespace pb = runtime::v1;

constexpr const char* kPodUidLabel = "io.kubernetes.pod.uid";

// A default message if the bytes cannot be parsed.
template <class Message>
Message parsed(std::string_view bytes) {
  Message message;
  const bool good = message.ParseFromArray(bytes.data(), static_cast<int>(bytes.size()));
  return good ? message : Message();
}

std::string sandbox_of(const pb::PodSandboxFilter& filter) {
  return filter.id();
}

std::string sandbox_of(const pb::ContainerFilter& filter) {
  return filter.pod_sandbox_id();
}

}  // namespace

template <class Request>
CallSubject CallSubjects::by_sandbox(std::string_view message) {
  return {.pod_uid = pod_of_sandbox_[parsed<Request>(message).pod_sandbox_id()]};
}

template <class Request>
CallSubject CallSubjects::by_container(std::string_view message) {
  return containers_[parsed<Request>(message).container_id()];
}

template <class Request>
CallSubject CallSubjects::by_filter(std::string_view message) {
  const auto filter = parsed<Request>(message).filter();
  const auto label = filter.label_selector().find(kPodUidLabel);
  if (label != filter.label_selector().end()) return {.pod_uid = label->second};
  return {.pod_uid = pod_of_sandbox_[sandbox_of(filter)]};
}

CallSubject CallSubjects::of_request(const std::string& method, std::string_view message) {
  using Self = CallSubjects;
  using Reader = CallSubject (Self::*)(std::string_view);
  static const std::map<std::string, Reader> readers = {
      {"StopPodSandbox", &Self::by_sandbox<pb::StopPodSandboxRequest>},
      {"RemovePodSandbox", &Self::by_sandbox<pb::RemovePodSandboxRequest>},
      {"PodSandboxStatus", &Self::by_sandbox<pb::PodSandboxStatusRequest>},
      {"StartContainer", &Self::by_container<pb::StartContainerRequest>},
      {"StopContainer", &Self::by_container<pb::StopContainerRequest>},
      {"RemoveContainer", &Self::by_container<pb::RemoveContainerRequest>},
      {"ContainerStatus", &Self::by_container<pb::ContainerStatusRequest>},
      {"UpdateContainerResources", &Self::by_container<pb::UpdateContainerResourcesRequest>},
      {"ReopenContainerLog", &Self::by_container<pb::ReopenContainerLogRequest>},
      {"ExecSync", &Self::by_container<pb::ExecSyncRequest>},
      {"ListContainers", &Self::by_filter<pb::ListContainersRequest>},
      {"ListPodSandbox", &Self::by_filter<pb::ListPodSandboxRequest>},
  };
  const std::lock_guard lock(mutex_);
  if (method == "RunPodSandbox") {
    return {.pod_uid = parsed<pb::RunPodSandboxRequest>(message).config().metadata().uid()};
  }
  if (method == "CreateContainer") {
    const auto request = parsed<pb::CreateContainerRequest>(message);
    return {.pod_uid = pod_of_sandbox_[request.pod_sandbox_id()],
            .container = request.config().metadata().name()};
  }
  if (method == "PullImage") {
    return {.pod_uid = parsed<pb::PullImageRequest>(message).sandbox_config().metadata().uid()};
  }
  const auto reader = readers.find(method);
  return reader == readers.end() ? CallSubject() : (this->*reader->second)(message);
}

void CallSubjects::learn(const std::string& method, CallSubject& subject, std::string_view answer) {
  const std::lock_guard lock(mutex_);
  if (method == "RunPodSandbox") {
    const auto reply = parsed<pb::RunPodSandboxResponse>(answer);
    pod_of_sandbox_[reply.pod_sandbox_id()] = subject.pod_uid;
  } else if (method == "CreateContainer") {
    subject.container_id = parsed<pb::CreateContainerResponse>(answer).container_id();
    containers_[subject.container_id] = subject;
  }
}

std::optional<std::string> exited_container(const std::string& method, std::string_view message) {
  if (method == "GetContainerEvents") {
    const auto event = parsed<pb::ContainerEventResponse>(message);
    if (event.container_event_type() != pb::CONTAINER_STOPPED_EVENT) return std::nullopt;
    return event.container_id();
  }
  if (method != "Subscribe") return std::nullopt;
  const auto envelope = parsed<containerd::services::events::v1::Envelope>(message);
  if (envelope.event().type_url() != "containerd.events.TaskExit") return std::nullopt;
  containerd::events::TaskExit exit;
  if (!exit.ParseFromString(envelope.event().value())) return std::nullopt;
  if (exit.id() != exit.container_id()) return std::nullopt;
  return exit.container_id();
}

}  // namespace berth::bench
