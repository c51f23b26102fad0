// SPDX-License-Identifier: Apache-2.0

// What must be true of times and addresses that are shown: a container is shown with its actual
// start and end, a pod with a single start, a condition with the time it last changed, and the
// address is that of the sandbox in which the containers run.
#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <string>

#include "base/clock.hpp"
#include "tests/simulation/invariants/check.hpp"
#include "tests/simulation/invariants/invariants.hpp"

namespace berth::simulation {

class TimeInvariants final : public Check {
 public:
  TimeInvariants(const Clock& clock, Invariants& invariants)
      : clock_(clock), invariants_(invariants) {}
  void look_at(const SimulatedRuntime& runtime, const SimulatedStore& store) {
    runtime_ = &runtime;
    store_ = &store;
  }

  void published(const lifecycle::PodPtr& pod) override;
  void removed(const lifecycle::PodPtr& pod) override { known_.erase(pod->metadata.uid); }
  void agent_restarted() override;

 private:
  struct Known {
    api::PodStatus status{};
    SteadyTime at{};
    std::size_t life = 0;
  };

  void check_container(const api::Pod& pod, const api::ContainerStatus& status);
  void check_span(const Instance& instance, const std::optional<api::Time>& began,
                  const std::optional<api::Time>& ended);
  void check_start(const api::Pod& pod, const Known& before);
  void check_conditions(const api::Pod& pod, const Known& before);
  void check_address(const api::Pod& pod);
  // The number of the life that the pod has under its uid.
  [[nodiscard]] std::size_t life_of(const std::string& uid) const;
  [[nodiscard]] const Instance* instance_of(const std::string& id) const;

  const Clock& clock_;
  Invariants& invariants_;
  const SimulatedRuntime* runtime_ = nullptr;
  const SimulatedStore* store_ = nullptr;
  SteadyTime agent_began_{};
  std::map<std::string, Known> known_{};  // by uid: what was shown last, or what the store had
};

}  // namespace berth::simulation
