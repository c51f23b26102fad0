// SPDX-License-Identifier: Apache-2.0

#include "tests/conformance/scripted_runtime.hpp"

#include <algorithm>
#include <chrono>

namespace berth::conformance {
namespace {

namespace json = boost::json;

std::unexpected<Error> refused(const char* what) {
  return fail(ErrorCode::kInvalid, what);
}

}  // namespace

boost::asio::awaitable<void> ScriptedRuntime::never() {
  while (true) co_await clock_.sleep_for(kForEver);
}

RuntimeScript::Instance* ScriptedRuntime::find(const cri::ContainerId& id) {
  const auto found = std::ranges::find_if(
      script_.containers, [&](const auto& instance) { return instance.status.id == id; });
  return found == script_.containers.end() ? nullptr : &*found;
}

void ScriptedRuntime::end(RuntimeScript::Instance& instance) {
  // As in containerd: a container that was created and never started stays created, whatever
  // happens to its sandbox.
  const cri::ContainerState state = instance.status.state;
  if (state != cri::ContainerState::kRunning && state != cri::ContainerState::kUnknown) return;
  const bool obeys = takes_term_well(instance.status.id.str());
  instance.status.state = cri::ContainerState::kExited;
  instance.status.exit_code = obeys ? 0 : kKilled;
  instance.status.reason = obeys ? "Completed" : "Error";
  instance.status.finished_at = cri::unix_nanoseconds(clock_.wall_now());
}

cri::Call<cri::Version> ScriptedRuntime::version(Context /*context*/) {
  co_return cri::Version{.runtime_name = "containerd"};
}

cri::Call<cri::RuntimeStatus> ScriptedRuntime::status(Context /*context*/) {
  co_return cri::RuntimeStatus{};
}

cri::Call<cri::SandboxId> ScriptedRuntime::run_pod_sandbox(Context /*context*/,
                                                           cri::PodSandboxConfig config,
                                                           std::string /*runtime_handler*/) {
  if (made_sandbox_) co_await never();
  made_sandbox_ = true;
  called({{"op", "RunPodSandbox"}, {"attempt", config.metadata.attempt}});
  if (script_.fails.sandbox) co_return refused("sandbox refused");
  cri::PodSandboxStatus made{.id = cri::SandboxId("new-sandbox"),
                             .metadata = config.metadata,
                             .state = cri::SandboxState::kReady,
                             .created_at = cri::unix_nanoseconds(clock_.wall_now()),
                             .has_network = true,
                             .ip = "10.88.0.9",
                             .network_mode = config.security_context.namespace_options.network,
                             .labels = config.labels,
                             .annotations = config.annotations};
  script_.sandboxes.push_back(made);
  co_return made.id;
}

cri::Call<cri::Done> ScriptedRuntime::stop_pod_sandbox(Context /*context*/, cri::SandboxId id) {
  called({{"op", "StopPodSandbox"}, {"id", id.str()}});
  for (auto& sandbox : script_.sandboxes)
    if (sandbox.id == id) sandbox.state = cri::SandboxState::kNotReady;
  for (auto& instance : script_.containers)
    if (instance.sandbox == id.str()) end(instance);
  co_return cri::Done{};
}

cri::Call<cri::Done> ScriptedRuntime::remove_pod_sandbox(Context /*context*/, cri::SandboxId id) {
  called({{"op", "RemovePodSandbox"}, {"id", id.str()}});
  std::erase_if(script_.sandboxes, [&](const auto& sandbox) { return sandbox.id == id; });
  std::erase_if(script_.containers, [&](const auto& one) { return one.sandbox == id.str(); });
  co_return cri::Done{};
}

cri::Call<cri::PodSandboxStatus> ScriptedRuntime::pod_sandbox_status(Context /*context*/,
                                                                     cri::SandboxId id) {
  for (const auto& sandbox : script_.sandboxes)
    if (sandbox.id == id) co_return sandbox;
  co_return fail(ErrorCode::kNotFound, "no such sandbox");
}

cri::Call<std::vector<cri::PodSandbox>> ScriptedRuntime::list_pod_sandbox(
    Context /*context*/, cri::SandboxFilter /*filter*/) {
  std::vector<cri::PodSandbox> out;
  for (const auto& sandbox : script_.sandboxes)
    out.push_back({.id = sandbox.id,
                   .metadata = sandbox.metadata,
                   .state = sandbox.state,
                   .created_at = sandbox.created_at,
                   .labels = sandbox.labels,
                   .annotations = sandbox.annotations});
  co_return out;
}

cri::Call<cri::ContainerId> ScriptedRuntime::create_container(
    Context /*context*/, cri::SandboxId sandbox, cri::ContainerConfig config,
    cri::PodSandboxConfig /*sandbox_config*/) {
  const std::string name = config.metadata.name;
  if (!tried_.insert(name).second) co_await never();
  called({{"op", "CreateContainer"},
          {"name", name},
          {"attempt", config.metadata.attempt},
          {"sandbox", sandbox.str()}});
  if (script_.fails.create.contains(name)) co_return refused("create refused");
  cri::ContainerStatus made{.id = cri::ContainerId("new-" + name),
                            .metadata = config.metadata,
                            .state = cri::ContainerState::kCreated,
                            .created_at = cri::unix_nanoseconds(clock_.wall_now()),
                            .image = config.image.user_specified_image,
                            .image_ref = config.image.image,
                            .labels = config.labels,
                            .annotations = config.annotations};
  script_.containers.push_back({.status = made, .sandbox = sandbox.str()});
  co_return made.id;
}

cri::Call<cri::Done> ScriptedRuntime::start_container(Context /*context*/, cri::ContainerId id) {
  RuntimeScript::Instance* instance = find(id);
  if (instance == nullptr) co_return fail(ErrorCode::kNotFound, "no such container");
  const std::string name = instance->status.metadata.name;
  called({{"op", "StartContainer"}, {"id", id.str()}, {"name", name}});
  tried_.insert(name);
  if (script_.fails.start.contains(name)) co_return refused("start refused");
  instance->status.state = cri::ContainerState::kRunning;
  instance->status.started_at = cri::unix_nanoseconds(clock_.wall_now());
  co_return cri::Done{};
}

cri::Call<cri::Done> ScriptedRuntime::stop_container(Context /*context*/, cri::ContainerId id,
                                                     std::chrono::seconds timeout) {
  RuntimeScript::Instance* instance = find(id);
  if (instance == nullptr) co_return fail(ErrorCode::kNotFound, "no such container");
  const std::string name = instance->status.metadata.name;
  called({{"op", "StopContainer"}, {"id", id.str()}, {"name", name}, {"timeout", timeout.count()}});
  if (script_.fails.stop.contains(name)) co_return refused("stop refused");
  end(*instance);
  co_return cri::Done{};
}

cri::Call<cri::Done> ScriptedRuntime::remove_container(Context /*context*/, cri::ContainerId id) {
  const RuntimeScript::Instance* instance = find(id);
  if (instance == nullptr) co_return fail(ErrorCode::kNotFound, "no such container");
  called({{"op", "RemoveContainer"}, {"id", id.str()}, {"name", instance->status.metadata.name}});
  std::erase_if(script_.containers, [&](const auto& one) { return one.status.id == id; });
  co_return cri::Done{};
}

cri::Call<cri::ContainerStatus> ScriptedRuntime::container_status(Context /*context*/,
                                                                  cri::ContainerId id) {
  const RuntimeScript::Instance* instance = find(id);
  if (instance == nullptr) co_return fail(ErrorCode::kNotFound, "no such container");
  co_return instance->status;
}

cri::Call<std::vector<cri::Container>> ScriptedRuntime::list_containers(
    Context /*context*/, cri::ContainerFilter /*filter*/) {
  std::vector<cri::Container> out;
  for (const auto& [status, sandbox] : script_.containers)
    out.push_back({.id = status.id,
                   .pod_sandbox_id = cri::SandboxId(sandbox),
                   .metadata = status.metadata,
                   .state = status.state,
                   .created_at = status.created_at,
                   .labels = status.labels,
                   .annotations = status.annotations});
  co_return out;
}

cri::Call<cri::Done> ScriptedRuntime::reopen_container_log(Context /*context*/,
                                                           cri::ContainerId /*id*/) {
  co_return cri::Done{};
}

// For hooks: probes use the handlers.
cri::Call<cri::ExecResult> ScriptedRuntime::exec_sync(Context /*context*/, cri::ContainerId id,
                                                      std::vector<std::string> /*command*/,
                                                      std::chrono::seconds /*timeout*/) {
  const RuntimeScript::Instance* instance = find(id);
  if (instance == nullptr) co_return fail(ErrorCode::kNotFound, "no such container");
  const std::string name = instance->status.metadata.name;
  called({{"op", "PostStartHook"}, {"name", name}});
  co_return cri::ExecResult{.exit_code = script_.fails.post_start.contains(name) ? 1 : 0};
}

cri::Call<std::string> ScriptedRuntime::exec(Context /*context*/, cri::ContainerId /*id*/,
                                             std::vector<std::string> /*command*/, bool /*tty*/,
                                             bool /*use_stdin*/) {
  co_return refused("no sessions here");
}

cri::Call<cri::Image> ScriptedRuntime::image_status(Context /*context*/, cri::ImageSpec image) {
  if (!script_.present_images.contains(image.image))
    co_return fail(ErrorCode::kNotFound, "no such image");
  co_return cri::Image{.id = image.image};
}

cri::Call<std::string> ScriptedRuntime::pull_image(Context /*context*/, cri::ImageSpec image,
                                                   std::vector<cri::AuthConfig> /*auth*/,
                                                   cri::PodSandboxConfig /*sandbox_config*/) {
  called({{"op", "PullImage"}, {"name", image.image}});
  if (script_.fails.pull.contains(image.image)) co_return refused("registry said no");
  script_.present_images.insert(image.image);
  co_return image.image;
}

cri::Call<std::vector<cri::Image>> ScriptedRuntime::list_images(Context /*context*/) {
  co_return std::vector<cri::Image>{};
}

cri::Call<cri::Done> ScriptedRuntime::remove_image(Context /*context*/, cri::ImageSpec /*image*/) {
  co_return cri::Done{};
}

cri::Call<cri::ImageStore> ScriptedRuntime::image_store(Context /*context*/) {
  co_return cri::ImageStore{};
}

}  // namespace berth::conformance
