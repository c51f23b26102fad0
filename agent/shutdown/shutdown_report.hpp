// SPDX-License-Identifier: Apache-2.0

// What the shutdown of the node tells whoever wants to know: an interface that it declares.
//
// Called on the loop thread, never across a suspension; implementations must not call back.
#pragma once

#include <string>
#include <vector>

#include "lifecycle/ending.hpp"
#include "lifecycle/shutdown/shutdown_plan.hpp"

namespace berth::agent {

class ShutdownTeller {
 public:
  ShutdownTeller() = default;
  ShutdownTeller(const ShutdownTeller&) = delete;
  ShutdownTeller& operator=(const ShutdownTeller&) = delete;
  virtual ~ShutdownTeller() = default;

  // The machine is about to go off, or goes on after all.
  virtual void announced(bool shutting_down) = 0;
  // A group's turn: `stop` was ordered of one of its pods, which takes it in later.
  virtual void ordered(const lifecycle::PlannedStop& stop, const lifecycle::ShutdownGroup& group,
                       const lifecycle::Ending& ending) = 0;
  // Its period is over, and these still run, by name.
  virtual void left_behind(const lifecycle::ShutdownGroup& group,
                           const std::vector<std::string>& running) = 0;
  // Every group had its turn.
  virtual void all_stopped() = 0;
  // A pod that was stopped or refused is about to make room for its next incarnation.
  virtual void comes_back(const api::Pod& pod) = 0;
  // What keeps it from being what the configuration asks for; once until that changes.
  virtual void complains(const std::string& complaint) = 0;
};

}  // namespace berth::agent
