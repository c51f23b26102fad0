// SPDX-License-Identifier: Apache-2.0

// CRI v1 client: Runtime, Images and Statistics of a containerd or CRI-O on a unix socket.
//
// Every call starts and ends on the loop. Cancelling the awaiting coroutine ends the call, here and
// on the wire; the result is then kCancelled, as a value. Deadlines are the kubelet's (see
// cri/runtime.hpp); an earlier one in the Context shortens them. Stopping or removing an object
// that no longer exists succeeds, as CRI requires of runtimes: the requested state is reached.
//
// Built by the agent; destroyed on the loop thread after all calling tasks have been joined.
#pragma once

#include <chrono>
#include <memory>
#include <string>
#include <vector>

#include <boost/asio/any_io_executor.hpp>

#include "base/clock.hpp"
#include "cri/container_statistics.hpp"
#include "cri/runtime.hpp"

namespace berth::cri {

struct Connection;

struct Endpoints {
  std::string runtime{};  // "unix:///run/containerd/containerd.sock", or a path
  std::string images{};   // empty: same as `runtime`
};

// Opens no connection yet: the first call connects, and so does each call after the connection was
// lost. The client and the event stream share the result.
[[nodiscard]] std::shared_ptr<Connection> connect(const boost::asio::any_io_executor& loop,
                                                  const Endpoints& endpoints);

// Version and features of the runtime behind the connection. `container_events` stays false: only
// opening the stream shows it (cri/client_events.hpp does, and reports it in its state).
[[nodiscard]] Call<Features> detect_features(std::shared_ptr<Connection> connection,
                                             Nanoseconds limit);

class CriClient final : public Runtime, public Images, public Statistics {
 public:
  // request_timeout: the kubelet's runtimeRequestTimeout (default 2 min).
  CriClient(Clock& clock, std::shared_ptr<Connection> connection,
            Nanoseconds request_timeout = std::chrono::minutes(2));
  ~CriClient() override;

  Call<Version> version(Context context) override;
  Call<RuntimeStatus> status(Context context) override;
  Call<RuntimeSetup> setup(Context context) override;

  Call<SandboxId> run_pod_sandbox(Context context, PodSandboxConfig config,
                                  std::string runtime_handler) override;
  Call<Done> stop_pod_sandbox(Context context, SandboxId id) override;
  Call<Done> remove_pod_sandbox(Context context, SandboxId id) override;
  Call<PodSandboxStatus> pod_sandbox_status(Context context, SandboxId id) override;
  Call<std::vector<PodSandbox>> list_pod_sandbox(Context context, SandboxFilter filter) override;

  Call<ContainerId> create_container(Context context, SandboxId sandbox, ContainerConfig config,
                                     PodSandboxConfig sandbox_config) override;
  Call<Done> start_container(Context context, ContainerId id) override;
  Call<Done> stop_container(Context context, ContainerId id, std::chrono::seconds timeout) override;
  Call<Done> remove_container(Context context, ContainerId id) override;
  Call<ContainerStatus> container_status(Context context, ContainerId id) override;
  Call<std::vector<Container>> list_containers(Context context, ContainerFilter filter) override;
  Call<Done> reopen_container_log(Context context, ContainerId id) override;

  Call<ExecResult> exec_sync(Context context, ContainerId id, std::vector<std::string> command,
                             std::chrono::seconds timeout) override;
  Call<std::string> exec(Context context, ContainerId id, std::vector<std::string> command,
                         bool tty, bool use_stdin) override;

  Call<Image> image_status(Context context, ImageSpec image) override;
  Call<std::string> pull_image(Context context, ImageSpec image, std::vector<AuthConfig> auth,
                               PodSandboxConfig sandbox_config) override;
  Call<std::vector<Image>> list_images(Context context) override;
  Call<Done> remove_image(Context context, ImageSpec image) override;
  Call<ImageStore> image_store(Context context) override;

  Call<std::vector<ContainerStatistics>> list_container_statistics(Context context) override;

 private:
  // The time limit for a call that starts now: `own`, or less if the context's deadline is earlier.
  [[nodiscard]] std::optional<Nanoseconds> limit(const Context& context,
                                                 std::optional<Nanoseconds> own) const;

  Clock& clock_;
  std::shared_ptr<Connection> connection_;
  Nanoseconds request_timeout_;
};

}  // namespace berth::cri
