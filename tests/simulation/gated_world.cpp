// SPDX-License-Identifier: Apache-2.0

// Every call to the fake world, through the gate.
#include "tests/simulation/gated_world.hpp"

#include <utility>

namespace berth::simulation {

cri::Call<cri::Version> GatedRuntime::version(Context context) {
  return through(gate_, runtime_, &SimulatedRuntime::version, std::move(context));
}

cri::Call<cri::RuntimeStatus> GatedRuntime::status(Context context) {
  return through(gate_, runtime_, &SimulatedRuntime::status, std::move(context));
}

cri::Call<cri::SandboxId> GatedRuntime::run_pod_sandbox(Context context,
                                                        cri::PodSandboxConfig config,
                                                        std::string runtime_handler) {
  return through(gate_, runtime_, &SimulatedRuntime::run_pod_sandbox, std::move(context),
                 std::move(config), std::move(runtime_handler));
}

cri::Call<cri::Done> GatedRuntime::stop_pod_sandbox(Context context, cri::SandboxId id) {
  return through(gate_, runtime_, &SimulatedRuntime::stop_pod_sandbox, std::move(context),
                 std::move(id));
}

cri::Call<cri::Done> GatedRuntime::remove_pod_sandbox(Context context, cri::SandboxId id) {
  return through(gate_, runtime_, &SimulatedRuntime::remove_pod_sandbox, std::move(context),
                 std::move(id));
}

cri::Call<cri::PodSandboxStatus> GatedRuntime::pod_sandbox_status(Context context,
                                                                  cri::SandboxId id) {
  return through(gate_, runtime_, &SimulatedRuntime::pod_sandbox_status, std::move(context),
                 std::move(id));
}

cri::Call<std::vector<cri::PodSandbox>> GatedRuntime::list_pod_sandbox(Context context,
                                                                       cri::SandboxFilter filter) {
  return through(gate_, runtime_, &SimulatedRuntime::list_pod_sandbox, std::move(context),
                 std::move(filter));
}

cri::Call<cri::ContainerId> GatedRuntime::create_container(Context context, cri::SandboxId sandbox,
                                                           cri::ContainerConfig config,
                                                           cri::PodSandboxConfig sandbox_config) {
  return through(gate_, runtime_, &SimulatedRuntime::create_container, std::move(context),
                 std::move(sandbox), std::move(config), std::move(sandbox_config));
}

cri::Call<cri::Done> GatedRuntime::start_container(Context context, cri::ContainerId id) {
  return through(gate_, runtime_, &SimulatedRuntime::start_container, std::move(context),
                 std::move(id));
}

cri::Call<cri::Done> GatedRuntime::stop_container(Context context, cri::ContainerId id,
                                                  std::chrono::seconds timeout) {
  return through(gate_, runtime_, &SimulatedRuntime::stop_container, std::move(context),
                 std::move(id), timeout);
}

cri::Call<cri::Done> GatedRuntime::remove_container(Context context, cri::ContainerId id) {
  return through(gate_, runtime_, &SimulatedRuntime::remove_container, std::move(context),
                 std::move(id));
}

cri::Call<cri::ContainerStatus> GatedRuntime::container_status(Context context,
                                                               cri::ContainerId id) {
  return through(gate_, runtime_, &SimulatedRuntime::container_status, std::move(context),
                 std::move(id));
}

cri::Call<std::vector<cri::Container>> GatedRuntime::list_containers(Context context,
                                                                     cri::ContainerFilter filter) {
  return through(gate_, runtime_, &SimulatedRuntime::list_containers, std::move(context),
                 std::move(filter));
}

cri::Call<cri::Done> GatedRuntime::reopen_container_log(Context context, cri::ContainerId id) {
  return through(gate_, runtime_, &SimulatedRuntime::reopen_container_log, std::move(context),
                 std::move(id));
}

cri::Call<cri::ExecResult> GatedRuntime::exec_sync(Context context, cri::ContainerId id,
                                                   std::vector<std::string> command,
                                                   std::chrono::seconds timeout) {
  return through(gate_, runtime_, &SimulatedRuntime::exec_sync, std::move(context), std::move(id),
                 std::move(command), timeout);
}

cri::Call<std::string> GatedRuntime::exec(Context context, cri::ContainerId id,
                                          std::vector<std::string> command, bool tty,
                                          bool use_stdin) {
  return through(gate_, runtime_, &SimulatedRuntime::exec, std::move(context), std::move(id),
                 std::move(command), tty, use_stdin);
}

cri::Call<cri::Image> GatedRuntime::image_status(Context context, cri::ImageSpec image) {
  return through(gate_, runtime_, &SimulatedRuntime::image_status, std::move(context),
                 std::move(image));
}

cri::Call<std::string> GatedRuntime::pull_image(Context context, cri::ImageSpec image,
                                                std::vector<cri::AuthConfig> auth,
                                                cri::PodSandboxConfig sandbox_config) {
  return through(gate_, runtime_, &SimulatedRuntime::pull_image, std::move(context),
                 std::move(image), std::move(auth), std::move(sandbox_config));
}

cri::Call<std::vector<cri::Image>> GatedRuntime::list_images(Context context) {
  return through(gate_, runtime_, &SimulatedRuntime::list_images, std::move(context));
}

cri::Call<cri::Done> GatedRuntime::remove_image(Context context, cri::ImageSpec image) {
  return through(gate_, runtime_, &SimulatedRuntime::remove_image, std::move(context),
                 std::move(image));
}

cri::Call<cri::ImageStore> GatedRuntime::image_store(Context context) {
  return through(gate_, runtime_, &SimulatedRuntime::image_store, std::move(context));
}

node::HostCall<node::PreparedPod> GatedHost::prepare_pod(node::PodPtr pod) {
  return through(gate_, host_, &SimulatedHost::prepare_pod, std::move(pod));
}

node::HostCall<std::vector<node::VolumeFailure>> GatedHost::set_up_volumes(
    node::PodPtr pod, node::ObjectsPtr objects) {
  return through(gate_, host_, &SimulatedHost::set_up_volumes, std::move(pod), std::move(objects));
}

node::HostCall<node::SubPaths> GatedHost::mount_sub_paths(node::PodPtr pod, std::string container,
                                                          node::SubPaths wanted) {
  return through(gate_, host_, &SimulatedHost::mount_sub_paths, std::move(pod),
                 std::move(container), std::move(wanted));
}

node::HostCall<node::ContainerFiles> GatedHost::prepare_container(
    node::PodPtr pod, std::string container, std::uint32_t restart_count,
    std::vector<std::string> pod_ips) {
  return through(gate_, host_, &SimulatedHost::prepare_container, std::move(pod),
                 std::move(container), restart_count, std::move(pod_ips));
}

node::HostCall<std::string> GatedHost::termination_message(cri::ContainerStatus status,
                                                           std::string log_path) {
  return through(gate_, host_, &SimulatedHost::termination_message, std::move(status),
                 std::move(log_path));
}

node::HostCall<std::int32_t> GatedHost::last_logged_attempt(node::PodPtr pod,
                                                            std::string container) {
  return through(gate_, host_, &SimulatedHost::last_logged_attempt, std::move(pod),
                 std::move(container));
}

node::HostCall<node::Nothing> GatedHost::link_container_log(node::PodPtr pod, std::string container,
                                                            cri::ContainerId id,
                                                            std::string log_path) {
  return through(gate_, host_, &SimulatedHost::link_container_log, std::move(pod),
                 std::move(container), std::move(id), std::move(log_path));
}

node::HostCall<node::Nothing> GatedHost::remove_container_log(node::PodPtr pod,
                                                              std::string container,
                                                              cri::ContainerId id,
                                                              std::string log_path) {
  return through(gate_, host_, &SimulatedHost::remove_container_log, std::move(pod),
                 std::move(container), std::move(id), std::move(log_path));
}

node::HostCall<node::Nothing> GatedHost::cleanup_pod(node::PodPtr pod, bool remove_logs) {
  return through(gate_, host_, &SimulatedHost::cleanup_pod, std::move(pod), remove_logs);
}

node::HostCall<std::vector<std::string>> GatedHost::leftover_pods() {
  return through(gate_, host_, &SimulatedHost::leftover_pods);
}

}  // namespace berth::simulation
