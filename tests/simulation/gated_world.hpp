// SPDX-License-Identifier: Apache-2.0

// The fake world as one life of berthd sees it: each of its interfaces behind the gate.
#pragma once

#include <string>
#include <vector>

#include "cri/event_stream.hpp"
#include "lifecycle/pod_events.hpp"
#include "tests/simulation/gate.hpp"
#include "tests/simulation/runtime/simulated_runtime.hpp"
#include "tests/simulation/simulated_host.hpp"
#include "tests/simulation/simulated_store.hpp"

namespace berth::simulation {

class GatedRuntime final : public cri::Runtime, public cri::Images {
 public:
  GatedRuntime(Gate& gate, SimulatedRuntime& runtime) : gate_(gate), runtime_(runtime) {}

  cri::Call<cri::Version> version(Context context) override;
  cri::Call<cri::RuntimeStatus> status(Context context) override;
  cri::Call<cri::SandboxId> run_pod_sandbox(Context context, cri::PodSandboxConfig config,
                                            std::string runtime_handler) override;
  cri::Call<cri::Done> stop_pod_sandbox(Context context, cri::SandboxId id) override;
  cri::Call<cri::Done> remove_pod_sandbox(Context context, cri::SandboxId id) override;
  cri::Call<cri::PodSandboxStatus> pod_sandbox_status(Context context, cri::SandboxId id) override;
  cri::Call<std::vector<cri::PodSandbox>> list_pod_sandbox(Context context,
                                                           cri::SandboxFilter filter) override;
  cri::Call<cri::ContainerId> create_container(Context context, cri::SandboxId sandbox,
                                               cri::ContainerConfig config,
                                               cri::PodSandboxConfig sandbox_config) override;
  cri::Call<cri::Done> start_container(Context context, cri::ContainerId id) override;
  cri::Call<cri::Done> stop_container(Context context, cri::ContainerId id,
                                      std::chrono::seconds timeout) override;
  cri::Call<cri::Done> remove_container(Context context, cri::ContainerId id) override;
  cri::Call<cri::ContainerStatus> container_status(Context context, cri::ContainerId id) override;
  cri::Call<std::vector<cri::Container>> list_containers(Context context,
                                                         cri::ContainerFilter filter) override;
  cri::Call<cri::Done> reopen_container_log(Context context, cri::ContainerId id) override;
  cri::Call<cri::ExecResult> exec_sync(Context context, cri::ContainerId id,
                                       std::vector<std::string> command,
                                       std::chrono::seconds timeout) override;
  cri::Call<std::string> exec(Context context, cri::ContainerId id,
                              std::vector<std::string> command, bool tty, bool use_stdin) override;

  cri::Call<cri::Image> image_status(Context context, cri::ImageSpec image) override;
  cri::Call<std::string> pull_image(Context context, cri::ImageSpec image,
                                    std::vector<cri::AuthConfig> auth,
                                    cri::PodSandboxConfig sandbox_config) override;
  cri::Call<std::vector<cri::Image>> list_images(Context context) override;
  cri::Call<cri::Done> remove_image(Context context, cri::ImageSpec image) override;
  cri::Call<cri::ImageStore> image_store(Context context) override;

 private:
  Gate& gate_;
  SimulatedRuntime& runtime_;
};

// The constructor subscribes anew; events from before that are not delivered.
class GatedEventStream final : public cri::EventStream {
 public:
  GatedEventStream(Gate& gate, SimulatedRuntime& runtime) : gate_(gate), runtime_(runtime) {
    runtime_.subscribe();
  }

  [[nodiscard]] boost::asio::awaitable<cri::Event> next() override {
    return through(gate_, runtime_, &SimulatedRuntime::next_event);
  }
  void reconnect(std::string /*reason*/) override {
    if (!gate_.closed()) runtime_.subscribe();
  }
  [[nodiscard]] const cri::ConnectionState& state() const override {
    state_.connected = runtime_.reachable();
    return state_;
  }

 private:
  Gate& gate_;
  SimulatedRuntime& runtime_;
  mutable cri::ConnectionState state_{};
};

class GatedHost final : public node::Host {
 public:
  GatedHost(Gate& gate, SimulatedHost& host) : gate_(gate), host_(host) {}

  node::HostCall<node::PreparedPod> prepare_pod(node::PodPtr pod) override;
  boost::asio::awaitable<node::HostDns> read_dns() override {
    return through(gate_, host_, &SimulatedHost::read_dns);
  }
  void know_pod(node::PodPtr pod) override {
    if (!gate_.closed()) host_.know_pod(std::move(pod));
  }
  node::HostCall<std::vector<node::VolumeFailure>> set_up_volumes(
      node::PodPtr pod, node::ObjectsPtr objects) override;
  node::HostCall<node::SubPaths> mount_sub_paths(node::PodPtr pod, std::string container,
                                                 node::SubPaths wanted) override;
  node::HostCall<node::ContainerFiles> prepare_container(node::PodPtr pod, std::string container,
                                                         std::uint32_t restart_count,
                                                         std::vector<std::string> pod_ips) override;
  node::HostCall<std::string> termination_message(cri::ContainerStatus status,
                                                  std::string log_path) override;
  node::HostCall<std::int32_t> last_logged_attempt(node::PodPtr pod,
                                                   std::string container) override;
  node::HostCall<node::Nothing> link_container_log(node::PodPtr pod, std::string container,
                                                   cri::ContainerId id,
                                                   std::string log_path) override;
  node::HostCall<node::Nothing> remove_container_log(node::PodPtr pod, std::string container,
                                                     cri::ContainerId id,
                                                     std::string log_path) override;
  node::HostCall<node::Nothing> cleanup_pod(node::PodPtr pod, bool remove_logs) override;
  node::HostCall<std::vector<std::string>> leftover_pods() override;

 private:
  Gate& gate_;
  SimulatedHost& host_;
};

class GatedStore final : public lifecycle::PodStore {
 public:
  GatedStore(Gate& gate, SimulatedStore& store) : gate_(gate), store_(store) {}

  std::vector<lifecycle::PodMemoryPtr> recall() override { return store_.recall(); }
  boost::asio::awaitable<Result<bool>> commit(lifecycle::StoreBatch batch) override {
    return through(gate_, store_, &SimulatedStore::commit, std::move(batch));
  }

 private:
  Gate& gate_;
  SimulatedStore& store_;
};

class GatedSink final : public lifecycle::StatusSink {
 public:
  GatedSink(Gate& gate, lifecycle::StatusSink& sink) : gate_(gate), sink_(sink) {}

  void published(const lifecycle::PodPtr& pod) override {
    if (!gate_.closed()) sink_.published(pod);
  }
  void removed(const lifecycle::PodPtr& pod) override {
    if (!gate_.closed()) sink_.removed(pod);
  }

 private:
  Gate& gate_;
  lifecycle::StatusSink& sink_;
};

}  // namespace berth::simulation
