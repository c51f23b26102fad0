// SPDX-License-Identifier: Apache-2.0

// The interface to a container runtime: the calls that berth makes, as awaitables over plain
// values.
//
// Implemented by the CRI client and by the simulated runtime. All calls are made on the loop thread
// and resume there. A failed call returns an Error whose code defines what is known:
//   kNotFound     the sandbox or container does not exist (stop and remove treat it as done)
//   kUnavailable  the runtime cannot be reached; nothing was done, or the outcome is unknown
//   kTimeout, kCancelled, kUnknown  the outcome is unknown: the runtime may still do it. List by
//                 labels before doing anything again; names stay reserved meanwhile. Never decide
//                 by the text.
// Each call has the kubelet's deadline (runtimeRequestTimeout T: RunPodSandbox 2T, StopContainer T
// + grace, PullImage none, all others T), set by the implementation; an earlier deadline in the
// Context shortens it.
#pragma once

#include <chrono>
#include <string>
#include <vector>

#include <boost/asio/awaitable.hpp>

#include "base/context.hpp"
#include "base/result.hpp"
#include "cri/runtime_setup.hpp"
#include "cri/types.hpp"

namespace berth::cri {

struct Done {
  bool operator==(const Done&) const = default;
};

template <class T>
using Call = boost::asio::awaitable<Result<T>>;

class Runtime {
 public:
  Runtime() = default;
  Runtime(const Runtime&) = delete;
  Runtime& operator=(const Runtime&) = delete;
  virtual ~Runtime() = default;

  virtual Call<Version> version(Context context) = 0;
  virtual Call<RuntimeStatus> status(Context context) = 0;
  // Slower than `status`: called for a new runtime, and by diagnostics. A runtime may leave every
  // field unset.
  virtual Call<RuntimeSetup> setup(Context /*context*/) { co_return RuntimeSetup{}; }

  virtual Call<SandboxId> run_pod_sandbox(Context context, PodSandboxConfig config,
                                          std::string runtime_handler) = 0;
  virtual Call<Done> stop_pod_sandbox(Context context, SandboxId id) = 0;
  virtual Call<Done> remove_pod_sandbox(Context context, SandboxId id) = 0;
  virtual Call<PodSandboxStatus> pod_sandbox_status(Context context, SandboxId id) = 0;
  virtual Call<std::vector<PodSandbox>> list_pod_sandbox(Context context, SandboxFilter filter) = 0;

  virtual Call<ContainerId> create_container(Context context, SandboxId sandbox,
                                             ContainerConfig config,
                                             PodSandboxConfig sandbox_config) = 0;
  virtual Call<Done> start_container(Context context, ContainerId id) = 0;
  // Sends TERM (or the stop signal) now, KILL after `timeout`.
  virtual Call<Done> stop_container(Context context, ContainerId id,
                                    std::chrono::seconds timeout) = 0;
  virtual Call<Done> remove_container(Context context, ContainerId id) = 0;
  virtual Call<ContainerStatus> container_status(Context context, ContainerId id) = 0;
  virtual Call<std::vector<Container>> list_containers(Context context, ContainerFilter filter) = 0;
  virtual Call<Done> reopen_container_log(Context context, ContainerId id) = 0;

  // timeout 0: no limit.
  virtual Call<ExecResult> exec_sync(Context context, ContainerId id,
                                     std::vector<std::string> command,
                                     std::chrono::seconds timeout) = 0;
  // Returns the URL of a streaming session.
  virtual Call<std::string> exec(Context context, ContainerId id, std::vector<std::string> command,
                                 bool tty, bool use_stdin) = 0;
};

class Images {
 public:
  Images() = default;
  Images(const Images&) = delete;
  Images& operator=(const Images&) = delete;
  virtual ~Images() = default;

  // kNotFound if the image is not on the node.
  virtual Call<Image> image_status(Context context, ImageSpec image) = 0;
  // Returns the reference to create containers with; empty if the runtime's reply had none. The
  // credentials are tried in turn. No deadline but the context's.
  virtual Call<std::string> pull_image(Context context, ImageSpec image,
                                       std::vector<AuthConfig> auth,
                                       PodSandboxConfig sandbox_config) = 0;
  virtual Call<std::vector<Image>> list_images(Context context) = 0;
  virtual Call<Done> remove_image(Context context, ImageSpec image) = 0;
  virtual Call<ImageStore> image_store(Context context) = 0;
};

}  // namespace berth::cri
