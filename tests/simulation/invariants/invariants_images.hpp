// SPDX-License-Identifier: Apache-2.0

// What must be true of image pulls: none starts before its backoff is over, even if berthd is
// restarted, and none that the pull policy does not require.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <utility>

#include "base/clock.hpp"
#include "tests/simulation/invariants/check.hpp"
#include "tests/simulation/invariants/invariants.hpp"

namespace berth::simulation {

class ImageInvariants final : public Check {
 public:
  ImageInvariants(const Clock& clock, Invariants& invariants)
      : clock_(clock), invariants_(invariants) {}
  void look_at(const SimulatedRuntime& runtime, const SimulatedStore& store) {
    runtime_ = &runtime;
    store_ = &store;
  }

  void pull_called(const std::string& pod_uid, const std::string& image) override;
  void pull_failed(const std::string& pod_uid, const std::string& image) override;
  void image_removal_called(const std::string& id) override;
  void removed(const lifecycle::PodPtr& pod) override;
  void agent_ends() override { ended_ = clock_.steady_now(); }
  void agent_restarted() override;

 private:
  using Key = std::pair<std::string, std::string>;  // pod and image

  struct Window {
    Nanoseconds length{};
    SteadyTime failed{};
  };

  [[nodiscard]] bool is_stored(const Key& key) const;

  const Clock& clock_;
  Invariants& invariants_;
  const SimulatedRuntime* runtime_ = nullptr;
  const SimulatedStore* store_ = nullptr;
  std::map<Key, Window> windows_{};
  SteadyTime ended_{};  // the end of the previous life
};

}  // namespace berth::simulation
