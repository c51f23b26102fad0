// SPDX-License-Identifier: Apache-2.0

// The starts of one pod's containers: a record for each container name, the backoffs that hold
// starts back, and what plans have decided to start again.
//
// The worker decides what to do next (next_start.hpp, the plan), makes the calls, and records here
// what it does and the outcome. Nothing here waits or reports. A plain value; loop thread only.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "lifecycle/image_pull_backoff.hpp"
#include "lifecycle/plan.hpp"
#include "lifecycle/pod_memory.hpp"
#include "lifecycle/worker/starts/container_start_record.hpp"
#include "lifecycle/worker/starts/found_images.hpp"

namespace berth::lifecycle {

// A postStart hook that has returned.
struct ReturnedHook {
  std::string container{};  // by name
  PostStartHook hook{};     // with its outcome
};

class ContainerStarts {
 public:
  // `uid`: the pod's, under which failed pulls are counted.
  explicit ContainerStarts(std::string uid) : uid_(std::move(uid)) {}

  // Load from and save to the pod's memory. Every failed pull counts in what is saved, even one
  // that the worker has not processed yet. A first start costs no backoff, so it is not saved.
  void recall(const PodMemory& memory, const api::Pod& pod);
  void put_into(PodMemory& memory) const;

  // -- Numbers of instances: they always increase, even if records or logs were removed.
  [[nodiscard]] std::optional<std::uint32_t> next_attempt(const std::string& name) const;
  // The runtime has an instance with that number.
  void attempt_seen(const std::string& name, std::int32_t attempt);
  // The newest log file has that number; -1 if there is none. It only counts as long as no other
  // number is known.
  void attempt_logged(const std::string& name, std::int32_t attempt);

  // -- Images.
  [[nodiscard]] FoundImages& images() { return images_; }
  // Images known to be on the node now.
  [[nodiscard]] const std::set<std::string>& present_images() const { return present_images_; }
  void image_present(const std::string& image) { present_images_.insert(image); }
  void image_absent(const std::string& image) { present_images_.erase(image); }
  // Null if no pull is under way, and no outcome is pending.
  [[nodiscard]] const ImagePull* pull(const std::string& name) const;
  // Whether the image is being pulled for any container of the pod.
  [[nodiscard]] bool is_pulling(const std::string& image) const;
  void begin_pull(const std::string& name, std::string image);
  // False if nobody waits for the pull any more.
  bool pull_ended(const std::string& name, Result<PulledImage> outcome, WallTime at);
  // Drops the pull: an edit has replaced the container's image.
  void forget_pull(const std::string& name);
  // Returns and removes a pull that has ended; a failure counts from now on.
  [[nodiscard]] ImagePull finish_pull(const std::string& name);

  // -- Backoff.
  [[nodiscard]] const RestartBackoff& restarts() const { return restarts_; }
  [[nodiscard]] const ImagePullBackoff& pull_backoff() const { return pull_backoff_; }
  [[nodiscard]] bool in_pull_backoff(const std::string& image, WallTime now) const;
  void count_pull_failure(const std::string& image, const Error& error, WallTime at);
  // Counts failed pulls of the image on which finish_pull was not called yet, so that they count
  // before another pull of it can fail.
  void count_failed_pulls(const std::string& image);
  // Drops entries so old that they hold nothing back.
  void forget_old_failures(const RestartBackoffPolicy& policy, WallTime now);

  // -- Files that are made before a container's turn.
  [[nodiscard]] bool makes_files() const;
  [[nodiscard]] bool makes_files(const std::string& name) const;
  // Whether files can be made ahead, and have not been.
  [[nodiscard]] bool wants_files(const std::string& name) const;
  void begin_files(const std::vector<std::string>& names);
  // `files` is unset if they could not be made.
  void files_made(const std::string& name, std::optional<ContainerFilesReady> files);
  // Returns and removes the files; unset if there are none, or they were made for another instance.
  [[nodiscard]] std::optional<node::ContainerFiles> use_files(
      const std::string& name, std::uint32_t attempt, const std::vector<std::string>& pod_ips);
  // Begins the search for what first instances will need; false if it is under way. What was found
  // for an earlier sandbox is forgotten.
  [[nodiscard]] bool begin_look_ahead();
  void end_look_ahead() { looking_ahead_ = false; }

  // -- Create and start.
  void created(const std::string& name, std::uint32_t attempt);
  // StartContainer is about to be called.
  void begin_start(const std::string& name, PendingStart start);
  // The pending start of that instance; unset if none is pending.
  [[nodiscard]] std::optional<PendingStart> pending(const std::string& name,
                                                    const std::string& id) const;
  // The call is not made, or was refused. `earlier`: an earlier call that may have succeeded, which
  // remains pending.
  void call_off_start(const std::string& name, std::optional<PendingStart> earlier = std::nullopt);
  [[nodiscard]] bool is_starting(const std::string& name, const std::string& id) const {
    return pending(name, id).has_value();
  }
  // By container name.
  [[nodiscard]] std::map<std::string, cri::ContainerId> pending_starts() const;
  // Counts pending starts for the restart backoff, except those of containers that the runtime
  // still shows as created. A removed container counts: it may have run.
  void settle(const std::set<std::string>& created, const RestartBackoffPolicy& policy);
  // The container runs. `hooked`: its postStart hook runs next.
  void started(const std::string& name, const std::string& id, bool hooked);

  // -- postStart hooks.
  [[nodiscard]] bool any_post_start() const;
  // By container name, including those that have returned but were not yet passed on by
  // returned_post_starts.
  [[nodiscard]] std::map<std::string, cri::ContainerId> post_starts() const;
  // False if nobody waits for the hook any more.
  bool post_start_returned(const std::string& name, const std::string& id, HookOutcome outcome);
  // Returns and removes the hooks that have returned; a failure becomes the container's error.
  [[nodiscard]] std::vector<ReturnedHook> returned_post_starts();
  // The name of the container for whose hook the end of the pod waits, to be reported; returned
  // only once.
  [[nodiscard]] std::optional<std::string> report_hook_wait();

  // -- Why containers wait.
  [[nodiscard]] StartErrors errors() const;
  void failed(const std::string& name, std::string_view reason, std::string message);
  // True if the refusal should be reported: once for each window.
  [[nodiscard]] bool refused(const StartRefusal& refusal);
  void forget_errors();

  // -- Which containers plans have decided to start again (runtime_pod.hpp, StartAgain), by id.
  [[nodiscard]] const std::map<std::string, StartAgain>& start_again() const {
    return start_again_;
  }
  // Keeps each decision until its container has been started. A container that a later plan lets
  // run loses its decision: its own exit counts again.
  void keep_decided(const api::Pod& pod, const RuntimePod& runtime, const Plan& plan);
  // From now on the agent is the cause of its exit.
  void stopped_to_start_again(const std::string& id);
  // The container had ended by itself, so that its exit decides.
  void ended_by_itself(const std::string& id) { start_again_.erase(id); }

 private:
  // Null if there is no record.
  [[nodiscard]] const ContainerStartRecord* find(const std::string& name) const;
  // The history including failed pulls that the worker has not processed yet.
  [[nodiscard]] ImagePullBackoff with_failed_pulls() const;

  const std::string uid_;
  std::map<std::string, ContainerStartRecord> records_{};  // by container name
  std::map<std::string, StartAgain> start_again_{};
  RestartBackoff restarts_{};
  ImagePullBackoff pull_backoff_{};
  std::set<std::string> present_images_{};
  FoundImages images_{};
  bool looking_ahead_ = false;
  bool hook_wait_reported_ = false;
};

}  // namespace berth::lifecycle
