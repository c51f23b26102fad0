// SPDX-License-Identifier: Apache-2.0

// The targets of berth-bench-probes: a server on every address of the loopback, and no containers.
#pragma once

#include <cstdint>
#include <string>

#include "cri/runtime.hpp"

namespace berth::bench {

// The loopback's address with that number; there are some 60,000.
[[nodiscard]] std::string target_address(int index);

// Accepts, answers 200 to anything, closes. One thread, with as little work as possible.
class ProbeTargets {
 public:
  ProbeTargets();
  ProbeTargets(const ProbeTargets&) = delete;
  ProbeTargets& operator=(const ProbeTargets&) = delete;
  ~ProbeTargets();

  [[nodiscard]] std::uint16_t port() const { return port_; }
  [[noreturn]] void serve() const;

 private:
  int listener_ = -1;
  std::uint16_t port_ = 0;
};

class NoContainers final : public cri::Runtime {
 public:
  cri::Call<cri::Version> version(Context) override;
  cri::Call<cri::RuntimeStatus> status(Context) override;
  cri::Call<cri::SandboxId> run_pod_sandbox(Context, cri::PodSandboxConfig, std::string) override;
  cri::Call<cri::Done> stop_pod_sandbox(Context, cri::SandboxId) override;
  cri::Call<cri::Done> remove_pod_sandbox(Context, cri::SandboxId) override;
  cri::Call<cri::PodSandboxStatus> pod_sandbox_status(Context, cri::SandboxId) override;
  cri::Call<std::vector<cri::PodSandbox>> list_pod_sandbox(Context, cri::SandboxFilter) override;
  cri::Call<cri::ContainerId> create_container(Context, cri::SandboxId, cri::ContainerConfig,
                                               cri::PodSandboxConfig) override;
  cri::Call<cri::Done> start_container(Context, cri::ContainerId) override;
  cri::Call<cri::Done> stop_container(Context, cri::ContainerId, std::chrono::seconds) override;
  cri::Call<cri::Done> remove_container(Context, cri::ContainerId) override;
  cri::Call<cri::ContainerStatus> container_status(Context, cri::ContainerId) override;
  cri::Call<std::vector<cri::Container>> list_containers(Context, cri::ContainerFilter) override;
  cri::Call<cri::Done> reopen_container_log(Context, cri::ContainerId) override;
  cri::Call<cri::ExecResult> exec_sync(Context, cri::ContainerId, std::vector<std::string>,
                                       std::chrono::seconds) override;
  cri::Call<std::string> exec(Context, cri::ContainerId, std::vector<std::string>, bool,
                              bool) override;
};

}  // namespace berth::bench
