// SPDX-License-Identifier: Apache-2.0

// What must be true of conditions that clients set, and of the readiness gates that wait for them.
//
// Each order has a number, which its message carries. The condition shown is never older than one
// shown before, nor, after a restart of berthd, than the stored one; an order that was acknowledged
// as stored is in the store; in the end the last order that could be known is shown. Ready follows
// from the containers and the gates, at every instant.
#pragma once

#include <map>
#include <optional>
#include <string>

#include "tests/simulation/invariants/invariants.hpp"

namespace berth::simulation {

class ConditionInvariants final : public lifecycle::StatusSink {
 public:
  explicit ConditionInvariants(Invariants& invariants) : invariants_(invariants) {}
  void look_at(const SimulatedStore& store) { store_ = &store; }

  // The next order for that pod and type, with its number in it.
  [[nodiscard]] api::PodCondition next(const std::string& uid, api::PodCondition condition);
  void ordered(const std::string& uid, const api::PodCondition& condition);
  // Its client is notified that the store has it.
  void stored(const std::string& uid, const api::PodCondition& condition);
  void agent_restarted();

  // StatusSink
  void published(const PodPtr& pod) override;
  void removed(const PodPtr& pod) override { orders_.erase(pod->metadata.uid); }

  [[nodiscard]] std::optional<std::string> unsettled(const api::Pod& shown) const;

 private:
  struct Orders {
    int given = 0;     // the highest number handed out
    int expected = 0;  // the number to be shown in the end
    int least = 0;     // the least number to be shown from now on
  };

  [[nodiscard]] int durable(const std::string& uid, const std::string& type) const;
  void check_ready(const api::Pod& pod);

  Invariants& invariants_;
  const SimulatedStore* store_ = nullptr;
  std::map<std::string, std::map<std::string, Orders>> orders_{};  // by uid, by type
};

}  // namespace berth::simulation
