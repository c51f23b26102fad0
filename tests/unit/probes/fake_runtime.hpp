// SPDX-License-Identifier: Apache-2.0

// A runtime that only implements ExecSync, with preset answers.
#pragma once

#include <chrono>
#include <string>
#include <utility>
#include <vector>

#include "cri/runtime.hpp"

namespace berth::probes {

class FakeRuntime final : public cri::Runtime {
 public:
  struct Exec {
    cri::ContainerId id{};
    std::vector<std::string> command{};
    std::chrono::seconds timeout{};
  };
  Result<cri::ExecResult> exec_answer = cri::ExecResult{};
  std::vector<Exec> execs;

  cri::Call<cri::ExecResult> exec_sync(Context, cri::ContainerId id,
                                       std::vector<std::string> command,
                                       std::chrono::seconds timeout) override {
    execs.push_back({std::move(id), std::move(command), timeout});
    co_return exec_answer;
  }

  cri::Call<cri::Version> version(Context) override { return refuse<cri::Version>(); }
  cri::Call<cri::RuntimeStatus> status(Context) override { return refuse<cri::RuntimeStatus>(); }
  cri::Call<cri::SandboxId> run_pod_sandbox(Context, cri::PodSandboxConfig, std::string) override {
    return refuse<cri::SandboxId>();
  }
  cri::Call<cri::Done> stop_pod_sandbox(Context, cri::SandboxId) override {
    return refuse<cri::Done>();
  }
  cri::Call<cri::Done> remove_pod_sandbox(Context, cri::SandboxId) override {
    return refuse<cri::Done>();
  }
  cri::Call<cri::PodSandboxStatus> pod_sandbox_status(Context, cri::SandboxId) override {
    return refuse<cri::PodSandboxStatus>();
  }
  cri::Call<std::vector<cri::PodSandbox>> list_pod_sandbox(Context, cri::SandboxFilter) override {
    return refuse<std::vector<cri::PodSandbox>>();
  }
  cri::Call<cri::ContainerId> create_container(Context, cri::SandboxId, cri::ContainerConfig,
                                               cri::PodSandboxConfig) override {
    return refuse<cri::ContainerId>();
  }
  cri::Call<cri::Done> start_container(Context, cri::ContainerId) override {
    return refuse<cri::Done>();
  }
  cri::Call<cri::Done> stop_container(Context, cri::ContainerId, std::chrono::seconds) override {
    return refuse<cri::Done>();
  }
  cri::Call<cri::Done> remove_container(Context, cri::ContainerId) override {
    return refuse<cri::Done>();
  }
  cri::Call<cri::ContainerStatus> container_status(Context, cri::ContainerId) override {
    return refuse<cri::ContainerStatus>();
  }
  cri::Call<std::vector<cri::Container>> list_containers(Context, cri::ContainerFilter) override {
    return refuse<std::vector<cri::Container>>();
  }
  cri::Call<cri::Done> reopen_container_log(Context, cri::ContainerId) override {
    return refuse<cri::Done>();
  }
  cri::Call<std::string> exec(Context, cri::ContainerId, std::vector<std::string>, bool,
                              bool) override {
    return refuse<std::string>();
  }

 private:
  template <class T>
  static cri::Call<T> refuse() {
    co_return fail(ErrorCode::kUnimplemented, "not here");
  }
};

}  // namespace berth::probes
