// SPDX-License-Identifier: Apache-2.0

// A container runtime in virtual time, for simulations and (faults off) for unit tests.
//
// It behaves as containerd and CRI-O do where that matters to an agent:
//   - names (NAME_NAMESPACE_UID_ATTEMPT) are reserved from the moment a call begins, for good once
//     it succeeded, until removal;
//   - a call whose caller gave up (deadline, cancellation) continues;
//   - an exit is shown by ContainerStatus some time after its event;
//   - events can be lost, doubled and late; an answer can be lost although the work was done;
//   - a restart of the runtime fails every call for a while, and containers live on;
//   - a container with a localhost seccomp profile is not created: the node has none.
// What containers do is encoded in their command (container_program.hpp), how images behave in the
// first part of their name: `missing/` cannot be pulled, `flaky/` fails twice, `slow/` takes long,
// `present/` is on the node from the start; any other is pulled as usual.
//
// It consists of parts, each of which names the parts that it needs: `RuntimeWorld` (time, chance),
// `RuntimeCalls` (calls on their way), `RuntimeEvents`, `RuntimeObjects` (what is on record),
// `SimulatedImages`, `SimulatedCommands`, `SimulatedContainers`, `SimulatedSandboxes`.
//
// The truth is in `instances()` and `sandboxes()`; a Witness sees it happen. Loop thread only.
// `shutdown` must be awaited before it is destroyed.
#pragma once

#include <cstdint>
#include <deque>
#include <string>
#include <utility>
#include <vector>

#include "cri/runtime.hpp"
#include "tests/simulation/runtime/runtime_calls.hpp"
#include "tests/simulation/runtime/runtime_events.hpp"
#include "tests/simulation/runtime/runtime_objects.hpp"
#include "tests/simulation/runtime/runtime_world.hpp"
#include "tests/simulation/runtime/simulated_commands.hpp"
#include "tests/simulation/runtime/simulated_containers.hpp"
#include "tests/simulation/runtime/simulated_images.hpp"
#include "tests/simulation/runtime/simulated_sandboxes.hpp"

namespace berth::simulation {

class SimulatedRuntime final : public cri::Runtime, public cri::Images {
 public:
  SimulatedRuntime(boost::asio::any_io_executor loop, Clock& clock, RuntimeSetup setup);
  ~SimulatedRuntime() override;

  // cri::Runtime
  cri::Call<cri::Version> version(Context context) override;
  cri::Call<cri::RuntimeStatus> status(Context context) override;
  cri::Call<cri::RuntimeSetup> setup(Context context) override;
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

  // cri::Images
  cri::Call<cri::Image> image_status(Context context, cri::ImageSpec image) override;
  cri::Call<std::string> pull_image(Context context, cri::ImageSpec image,
                                    std::vector<cri::AuthConfig> auth,
                                    cri::PodSandboxConfig sandbox_config) override;
  cri::Call<std::vector<cri::Image>> list_images(Context context) override;
  cri::Call<cri::Done> remove_image(Context context, cri::ImageSpec image) override;
  cri::Call<cri::ImageStore> image_store(Context context) override;

  // Events. A new subscription begins with kResubscribed; one subscriber at a time.
  void subscribe() { events_.subscribe(); }
  [[nodiscard]] boost::asio::awaitable<cri::Event> next_event() { return events_.next(); }
  [[nodiscard]] bool reachable() const { return !calls_.is_down(); }
  [[nodiscard]] bool hung() const { return calls_.is_hung(); }

  // What the fake world can do to it.
  void go_down();  // every call fails until come_up; containers keep running
  // The runtime goes down, and nothing runs any more: it notices when it comes up, and sends no
  // event.
  void lose_everything_that_runs();
  // Another client started these before; no event is sent.
  void runs_already(const cri::PodSandboxConfig& sandbox,
                    const std::vector<cri::ContainerConfig>& containers) {
    sandboxes_.runs_already(sandbox, containers);
  }
  // Another client runs a sandbox with the labels, annotations and, but for the attempt, the name
  // of this one, and removes it when this one is stopped or dies. False if there is a copy already.
  bool copy_sandbox(const cri::SandboxId& id) { return sandboxes_.copy(id); }
  void remove_copies() { sandboxes_.remove_copies(); }  // of all sandboxes
  void come_up();
  // It accepts calls and answers none until it wakes up; containers keep running.
  void hang() { calls_.hang(); }
  void wake_up() { calls_.wake_up(); }
  // No event arrives any more, without any error, until the next subscription.
  void fall_silent() { events_.fall_silent(); }
  void speak_again() { events_.speak_again(); }
  void sandbox_dies(const cri::SandboxId& id, bool with_containers) {
    sandboxes_.dies(id, with_containers);
  }
  void container_ends(const cri::ContainerId& id, std::int32_t code) {  // as if by itself
    containers_.ends(id, code);
  }
  // The container ends while the runtime is down, which does not notice: UNKNOWN, until the runtime
  // is asked to stop it.
  void lose_sight_of(const cri::ContainerId& id) { containers_.lose_sight_of(id); }
  // An earlier call whose caller is gone takes effect: it creates the next instance after this one.
  void created_late(const cri::ContainerId& before) { containers_.created_late(before); }
  // Another client removes the pod's ended containers.
  void records_vanish(const std::string& pod_uid) { sandboxes_.records_vanish(pod_uid); }
  // KILL to everything that runs.
  void empty_cgroup(const std::string& pod_uid) { containers_.empty_cgroup(pod_uid); }
  // StopContainer fails for it from now on; StopPodSandbox of its sandbox does not.
  void refuse_stop(const cri::ContainerId& id, bool refuses = true) {
    containers_.refuse_stop(id, refuses);
  }
  // RemovePodSandbox fails for it with that message; if empty, it can be removed again.
  void refuse_removal(const cri::SandboxId& id, std::string message) {
    sandboxes_.refuse_removal(id, std::move(message));
  }
  void refuse_status(const cri::SandboxId& id, bool refuses = true) {  // PodSandboxStatus fails
    sandboxes_.refuse_status(id, refuses);
  }
  void import_image(const std::string& name) { images_.import(name); }      // by another client
  void refuse_own_status(bool refuses = true) { status_fails_ = refuses; }  // Status fails
  // Another client removes the images that no container uses.
  void forget_images() { images_.forget_unused(objects_.instances()); }
  // No hook takes longer from now on.
  void hooks_return_within(Nanoseconds limit) { commands_.hooks_return_within(limit); }
  void be_set_up(cri::RuntimeSetup reported) { reported_ = std::move(reported); }
  void set_faults(const RuntimeFaults& faults) { world_.set_faults(faults); }

  // The truth.
  [[nodiscard]] const std::deque<Instance>& instances() const { return objects_.instances(); }
  // Without copies.
  [[nodiscard]] const std::deque<SandboxRecord>& sandboxes() const { return objects_.sandboxes(); }
  [[nodiscard]] bool is_copy(const cri::SandboxId& id) const;
  [[nodiscard]] std::uint64_t calls() const { return calls_.made(); }
  [[nodiscard]] std::size_t calls_in_flight() const { return calls_.in_flight(); }

  [[nodiscard]] boost::asio::awaitable<void> shutdown() { return world_.shutdown(); }

 private:
  RuntimeWorld world_;
  RuntimeCalls calls_;
  RuntimeEvents events_;
  RuntimeObjects objects_;
  SimulatedImages images_;
  SimulatedCommands commands_;
  SimulatedContainers containers_;
  SimulatedSandboxes sandboxes_;
  std::string name_;
  cri::RuntimeSetup reported_{};  // what it reports of itself
  bool status_fails_ = false;
};

}  // namespace berth::simulation
