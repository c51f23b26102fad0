// SPDX-License-Identifier: Apache-2.0

// What one pod's worker tells the outside of its deeds: events, log and ledger.
//
// What is said twice is said once: an obstacle while it stands, a reason of a plan or of stops as
// long as it is given again. Loop thread only; services and pod outlive this.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/clock.hpp"
#include "base/log.hpp"
#include "lifecycle/ledger/fact.hpp"
#include "lifecycle/ledger/pod_ledger.hpp"
#include "lifecycle/obstacles.hpp"
#include "lifecycle/pod_events.hpp"
#include "lifecycle/reasons.hpp"

namespace berth::lifecycle {

struct TellerServices {
  Clock& clock;
  PodEvents& events;
  Log& log;
  Ledger* ledger = nullptr;  // null: nothing is recorded
};

class PodTeller {
 public:
  // `pod`: as it is whenever something is told.
  PodTeller(const TellerServices& services, const PodPtr& pod)
      : services_(services), pod_(pod), ledger_(services.ledger) {}
  PodTeller(const PodTeller&) = delete;
  PodTeller& operator=(const PodTeller&) = delete;
  ~PodTeller() = default;

  // `container`: its name; empty: the pod itself.
  void event(EventLevel level, std::string_view reason, std::string message,
             const std::string& container = {});
  void warn_event(std::string_view reason, std::string message, const std::string& container = {});
  void log(LogLevel level, std::string_view event, const std::string& message,
           const std::string& container = {});
  // What no recorded decision tells, for the ledger.
  void happened(std::string container, const Fact& fact);
  void happened(std::string action, std::string container, std::string what) {
    happened(std::move(container), Remark{.action = std::move(action), .text = std::move(what)});
  }
  // The same, unless the last such fact said the same.
  void happened_anew(std::string container, const Fact& fact);

  // Reasons that the call before did not give.
  void log_plan(const Reasons& reasons) { log_new(reasons, plan_reasons_); }
  void log_stops(const Reasons& reasons) { log_new(reasons, stop_reasons_); }

  // Told when it is new, or for another reason than before; it is tried again and again.
  void hindered(Obstacle obstacle);
  void unhindered(ObstacleKind kind, const std::string& id) { obstacles_.gone(kind, id); }
  [[nodiscard]] std::vector<Obstacle> obstacles() const { return obstacles_.all(); }

  [[nodiscard]] PodLedger& ledger() { return ledger_; }
  // What was recorded last; none: nothing yet.
  [[nodiscard]] const std::optional<DatedReason>& last() const { return ledger_.last(); }

 private:
  void log_new(const Reasons& reasons, Reasons& last);

  const TellerServices services_;
  const PodPtr& pod_;
  PodLedger ledger_;
  Obstacles obstacles_{};
  Reasons plan_reasons_{};
  Reasons stop_reasons_{};
};

}  // namespace berth::lifecycle
