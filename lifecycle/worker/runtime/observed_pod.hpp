// SPDX-License-Identifier: Apache-2.0

// What a worker believes the runtime has of its pod, and how certain that is.
//
// Every sandbox and container is kept up to date from the worker's own calls and from exits, so
// that nothing needs to be listed again, unless a call's outcome is unknown: then everything is in
// doubt until it is read anew. `revision` changes with every change, so that a listing that was
// under way meanwhile is not compared with it. A plain value.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "cri/types.hpp"
#include "lifecycle/worker/runtime/awaited_ends.hpp"
#include "lifecycle/worker/runtime/runtime_listing.hpp"
#include "lifecycle/worker/runtime/sandbox_ownership.hpp"

namespace berth::lifecycle {

struct ObservedContainer {
  cri::ContainerStatus status{};  // with the termination message joined to the runtime's own
  std::string sandbox{};          // id of the sandbox it belongs to
  // The exit is known from the event stream, but the runtime does not show it yet.
  bool provisional = false;
};

class ObservedPod {
 public:
  ObservedPod() = default;
  // `listed`: what the runtime had when the worker began; unset if unknown. `recalled`: ids of the
  // pod's sandboxes, as the store had them.
  explicit ObservedPod(std::optional<ListedPod> listed, std::set<std::string> recalled = {})
      : listing_(std::move(listed)), ownership_(std::move(recalled)) {}

  void put_sandbox(cri::PodSandboxStatus status);
  void put_container(std::string sandbox, cri::ContainerStatus status, bool provisional = false);
  // Removes the sandbox with its containers, as the runtime does.
  void remove_sandbox(const std::string& id);
  void remove_container(const std::string& id);
  void sandbox_stopped(const std::string& id);
  // Takes over the sandboxes and containers that were read anew; ends that show now are no longer
  // awaited. True the first time.
  bool replace(ObservedPod seen);

  [[nodiscard]] const std::map<std::string, cri::PodSandboxStatus>& sandboxes() const {
    return sandboxes_;
  }
  [[nodiscard]] const std::map<std::string, ObservedContainer>& containers() const {
    return containers_;
  }
  [[nodiscard]] const ObservedContainer* container(const std::string& id) const;
  [[nodiscard]] const cri::PodSandboxStatus* sandbox(const std::string& id) const;
  [[nodiscard]] bool owns(const std::string& id) const;
  [[nodiscard]] bool empty() const { return sandboxes_.empty() && containers_.empty(); }
  [[nodiscard]] std::uint64_t revision() const { return revision_; }

  // The newest of that name, by attempt, then by creation; null if there is none.
  [[nodiscard]] const ObservedContainer* newest(const std::string& name) const;

  // Ids of other instances of that container in its sandbox that were created and not started.
  [[nodiscard]] std::vector<std::string> created_beside(const std::string& id) const;

  [[nodiscard]] BelievedPod believed() const;
  // Whether it is a container that has not ended, or a sandbox that is not known to be stopped.
  [[nodiscard]] bool may_live(const std::string& id) const;

  // -- How certain it is.
  // Whether this matches what the runtime has, as far as anybody can know.
  [[nodiscard]] bool known() const { return certain_; }
  // A call may have changed something that nobody has seen.
  void doubt() { certain_ = false; }
  // Everything is read once more before the last trace is removed: returns true once, and then puts
  // everything in doubt.
  [[nodiscard]] bool doubt_once();
  // What the runtime had when the worker began. Returned once.
  [[nodiscard]] std::optional<ListedPod> use_listing() { return std::exchange(listing_, {}); }
  // Whether it is known that the runtime had nothing when the worker began.
  [[nodiscard]] bool listed_empty() const;
  // Whether the first read found something.
  [[nodiscard]] bool found_something() const { return look_ == Look::kFoundSomething; }
  // Ends that the runtime does not show yet.
  [[nodiscard]] AwaitedEnds& ends() { return ends_; }
  [[nodiscard]] const AwaitedEnds& ends() const { return ends_; }

  // -- Whose a sandbox is.
  [[nodiscard]] SandboxOwnership& ownership() { return ownership_; }
  [[nodiscard]] const SandboxOwnership& ownership() const { return ownership_; }

  // -- What outlives a sandbox.
  // The addresses while a sandbox was ready.
  [[nodiscard]] const std::vector<std::string>& last_ips() const { return last_ips_; }
  void keep_ips(std::vector<std::string> ips) { last_ips_ = std::move(ips); }
  // The lowest attempt number for the next sandbox.
  [[nodiscard]] std::uint32_t next_sandbox() const { return next_sandbox_; }
  // A create with that attempt may have succeeded unseen, so the next one uses the same number.
  void keep_sandbox_attempt(std::uint32_t attempt) { next_sandbox_ = attempt; }
  // Ensures that the attempt number of no existing sandbox is used again.
  void number_sandboxes();

 private:
  enum class Look : std::uint8_t { kNone, kFoundNothing, kFoundSomething };

  std::map<std::string, cri::PodSandboxStatus> sandboxes_{};
  std::map<std::string, ObservedContainer> containers_{};
  std::uint64_t revision_ = 0;
  bool certain_ = false;
  bool doubted_once_ = false;
  std::optional<ListedPod> listing_{};
  Look look_ = Look::kNone;
  AwaitedEnds ends_{};
  std::vector<std::string> last_ips_{};
  std::uint32_t next_sandbox_ = 0;
  SandboxOwnership ownership_{};
};

}  // namespace berth::lifecycle
