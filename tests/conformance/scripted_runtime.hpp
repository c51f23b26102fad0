// SPDX-License-Identifier: Apache-2.0

// A runtime that answers at once and follows a recorded case's script: its initial state, and which
// calls fail. It records every call that changes something, in order.
//
// A pass ends where it would start the same thing again: a second sandbox, or a second instance of
// one container, gets no answer. Loop thread only.
#pragma once

#include <map>
#include <set>
#include <string>
#include <vector>

#include <boost/json.hpp>

#include "api/pod.hpp"
#include "base/clock.hpp"
#include "cri/runtime.hpp"
#include "tests/conformance/pass_input.hpp"

namespace berth::conformance {

// The clock stands still.
inline constexpr Nanoseconds kForEver = std::chrono::hours{1};

struct RuntimeScript {
  std::vector<cri::PodSandboxStatus> sandboxes{};
  struct Instance {
    cri::ContainerStatus status{};
    std::string sandbox{};
  };
  std::vector<Instance> containers{};
  std::set<std::string> present_images{};
  ScriptedFailures fails{};
};

class ScriptedRuntime final : public cri::Runtime, public cri::Images {
 public:
  ScriptedRuntime(Clock& clock, RuntimeScript script) : clock_(clock), script_(std::move(script)) {}

  [[nodiscard]] const boost::json::array& calls() const { return calls_; }

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
  void called(boost::json::object call) { calls_.emplace_back(std::move(call)); }
  [[nodiscard]] boost::asio::awaitable<void> never();
  RuntimeScript::Instance* find(const cri::ContainerId& id);
  void end(RuntimeScript::Instance& instance);

  Clock& clock_;
  RuntimeScript script_;
  boost::json::array calls_{};
  bool made_sandbox_ = false;
  std::set<std::string> tried_{};  // containers whose creation or start was requested
};

}  // namespace berth::conformance
