// What a worker knows of its pod in the runtime: every sandbox and container, kept up to date from
// its own calls and from exits, so that nothing needs to be listed again.
//
// A plain value. `revision` moves with every change, so that a listing which was under way
// meanwhile is not compared with it.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "cri/types.hpp"
#include "lifecycle/runtime_listing.hpp"

namespace berth::lifecycle {

struct ObservedContainer {
  cri::ContainerStatus status{};  // with the termination message joined to the runtime's own
  std::string sandbox{};          // id of the sandbox it belongs to
  // The exit is known from the event stream; the runtime does not show it yet.
  bool provisional = false;
};

class ObservedPod {
 public:
  void put_sandbox(cri::PodSandboxStatus status);
  void put_container(std::string sandbox, cri::ContainerStatus status, bool provisional = false);
  void remove_sandbox(const std::string& id);
  void remove_container(const std::string& id);
  void sandbox_stopped(const std::string& id);
  // Takes over what was seen anew.
  void replace(ObservedPod seen);

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

  [[nodiscard]] BelievedPod believed() const;

 private:
  std::map<std::string, cri::PodSandboxStatus> sandboxes_;
  std::map<std::string, ObservedContainer> containers_;
  std::uint64_t revision_ = 0;
};

}  // namespace berth::lifecycle
