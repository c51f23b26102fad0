// SPDX-License-Identifier: Apache-2.0

#include "tests/simulation/runtime/simulated_runtime.hpp"

#include <algorithm>

namespace berth::simulation {

SimulatedRuntime::SimulatedRuntime(boost::asio::any_io_executor loop, Clock& clock,
                                   RuntimeSetup setup)
    : world_(std::move(loop), clock, setup),
      calls_(world_),
      events_(world_, calls_, setup.events_have_exit_code),
      objects_(world_),
      images_(world_, calls_),
      commands_(world_, calls_, events_, objects_),
      containers_(world_, calls_, events_, objects_, images_, commands_),
      sandboxes_(world_, calls_, events_, objects_, containers_),
      name_(std::move(setup.name)) {}

SimulatedRuntime::~SimulatedRuntime() = default;

void SimulatedRuntime::go_down() {
  calls_.go_down();
  events_.unsubscribe();
  containers_.drop_waiters();
}

void SimulatedRuntime::come_up() {
  if (!calls_.is_down()) return;
  calls_.come_up();
  events_.subscribe();
}

void SimulatedRuntime::lose_everything_that_runs() {
  go_down();
  containers_.all_tasks_are_lost();
  sandboxes_.all_tasks_are_lost();
}

bool SimulatedRuntime::is_copy(const cri::SandboxId& id) const {
  const auto& copies = objects_.copies();
  return std::ranges::find(copies, id, &SandboxRecord::id) != copies.end();
}

cri::Call<cri::Version> SimulatedRuntime::version(Context context) {
  auto order = calls_.query<cri::Version>("Version");
  order.finish = [this] {
    return cri::Version{
        .runtime_name = name_, .runtime_version = "simulated", .runtime_api_version = "v1"};
  };
  return calls_.fly(std::move(context), std::move(order));
}

// Answered at once: the runtime has its setup in memory.
cri::Call<cri::RuntimeSetup> SimulatedRuntime::setup(Context /*context*/) {
  if (calls_.is_down()) co_return fail(ErrorCode::kUnavailable, "Version: the runtime is down");
  co_return reported_;
}

cri::Call<cri::RuntimeStatus> SimulatedRuntime::status(Context context) {
  auto order = calls_.query<cri::RuntimeStatus>("Status");
  order.finish = [this]() -> Result<cri::RuntimeStatus> {
    if (status_fails_) return fail(Error{ErrorCode::kUnknown, "it does not know"});
    cri::RuntimeStatus status = reported_.status;
    if (status.conditions.empty())
      status.conditions = {{.type = "RuntimeReady", .status = true},
                           {.type = "NetworkReady", .status = true}};
    return status;
  };
  return calls_.fly(std::move(context), std::move(order));
}

cri::Call<cri::SandboxId> SimulatedRuntime::run_pod_sandbox(Context context,
                                                            cri::PodSandboxConfig config,
                                                            std::string /*runtime_handler*/) {
  return sandboxes_.run(std::move(context), std::move(config));
}

cri::Call<cri::Done> SimulatedRuntime::stop_pod_sandbox(Context context, cri::SandboxId id) {
  return sandboxes_.stop(std::move(context), std::move(id));
}

cri::Call<cri::Done> SimulatedRuntime::remove_pod_sandbox(Context context, cri::SandboxId id) {
  return sandboxes_.remove(std::move(context), std::move(id));
}

cri::Call<cri::PodSandboxStatus> SimulatedRuntime::pod_sandbox_status(Context context,
                                                                      cri::SandboxId id) {
  return sandboxes_.status(std::move(context), std::move(id));
}

cri::Call<std::vector<cri::PodSandbox>> SimulatedRuntime::list_pod_sandbox(
    Context context, cri::SandboxFilter filter) {
  return sandboxes_.list(std::move(context), std::move(filter));
}

cri::Call<cri::ContainerId> SimulatedRuntime::create_container(
    Context context, cri::SandboxId sandbox, cri::ContainerConfig config,
    cri::PodSandboxConfig sandbox_config) {
  return containers_.create(std::move(context), std::move(sandbox), std::move(config),
                            std::move(sandbox_config));
}

cri::Call<cri::Done> SimulatedRuntime::start_container(Context context, cri::ContainerId id) {
  return containers_.start(std::move(context), std::move(id));
}

cri::Call<cri::Done> SimulatedRuntime::stop_container(Context context, cri::ContainerId id,
                                                      std::chrono::seconds timeout) {
  return containers_.stop(std::move(context), std::move(id), timeout);
}

cri::Call<cri::Done> SimulatedRuntime::remove_container(Context context, cri::ContainerId id) {
  return containers_.remove(std::move(context), std::move(id));
}

cri::Call<cri::ContainerStatus> SimulatedRuntime::container_status(Context context,
                                                                   cri::ContainerId id) {
  return containers_.status(std::move(context), std::move(id));
}

cri::Call<std::vector<cri::Container>> SimulatedRuntime::list_containers(
    Context context, cri::ContainerFilter filter) {
  return containers_.list(std::move(context), std::move(filter));
}

cri::Call<cri::Done> SimulatedRuntime::reopen_container_log(Context context, cri::ContainerId id) {
  return containers_.reopen_log(std::move(context), std::move(id));
}

cri::Call<cri::ExecResult> SimulatedRuntime::exec_sync(Context context, cri::ContainerId id,
                                                       std::vector<std::string> command,
                                                       std::chrono::seconds timeout) {
  return commands_.exec_sync(std::move(context), std::move(id), std::move(command), timeout);
}

cri::Call<std::string> SimulatedRuntime::exec(Context context, cri::ContainerId id,
                                              std::vector<std::string> /*command*/, bool /*tty*/,
                                              bool /*use_stdin*/) {
  return commands_.exec(std::move(context), std::move(id));
}

cri::Call<cri::Image> SimulatedRuntime::image_status(Context context, cri::ImageSpec image) {
  return images_.image_status(std::move(context), std::move(image));
}

cri::Call<std::string> SimulatedRuntime::pull_image(Context context, cri::ImageSpec image,
                                                    std::vector<cri::AuthConfig> auth,
                                                    cri::PodSandboxConfig sandbox_config) {
  return images_.pull_image(std::move(context), std::move(image), std::move(auth),
                            std::move(sandbox_config));
}

cri::Call<std::vector<cri::Image>> SimulatedRuntime::list_images(Context context) {
  return images_.list_images(std::move(context));
}

cri::Call<cri::Done> SimulatedRuntime::remove_image(Context context, cri::ImageSpec image) {
  return images_.remove_image(std::move(context), std::move(image));
}

cri::Call<cri::ImageStore> SimulatedRuntime::image_store(Context context) {
  return images_.image_store(std::move(context));
}

}  // namespace berth::simulation
