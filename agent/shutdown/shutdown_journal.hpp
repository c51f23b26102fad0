// SPDX-License-Identifier: Apache-2.0

// Publishes the shutdown of the node: the log, the node's events and its condition Ready, the
// ledger of each pod that is stopped, and /metrics.
//
// Loop thread only; its arguments outlive it.
#pragma once

#include <functional>

#include "agent/events/event_recorder.hpp"
#include "agent/shutdown/shutdown_report.hpp"
#include "agent/shutdown/shutdown_times.hpp"
#include "base/clock.hpp"
#include "base/log.hpp"
#include "lifecycle/ledger/ledger.hpp"

namespace berth::agent {

class ShutdownJournal final : public ShutdownReporter {
 public:
  struct Services {
    Clock& clock;
    Log& log;
    EventRecorder& events;
    lifecycle::Ledger* ledger = nullptr;               // null if it is not recorded
    std::function<void(bool shutting_down)> show{};    // the node's condition Ready
    std::function<void(const ShutdownTimes&)> keep{};  // persists them; may be empty
  };
  explicit ShutdownJournal(Services services) : services_(std::move(services)) {}

  void announced(bool shutting_down) override;
  void ordered(const lifecycle::PlannedStop& stop, const lifecycle::ShutdownGroup& group,
               const lifecycle::Ending& ending) override;
  void left_behind(const lifecycle::ShutdownGroup& group, const LeftBehind& left) override;
  void exceeded_grace_period(const api::Pod& pod) override;
  void all_stopped() override;
  void comes_back(const api::Pod& pod) override;
  void complains(const std::string& complaint) override;

  // Takes over what an earlier berthd persisted, unless a shutdown has begun since.
  void restore_times(const ShutdownTimes& earlier);
  [[nodiscard]] const ShutdownTimes& times() const { return times_; }

 private:
  void change(const ShutdownTimes& times);

  const Services services_;
  ShutdownTimes times_{};  // of the last one
};

}  // namespace berth::agent
