// What one pod's worker tells the outside of its deeds: events, log, ledger, and the notes that
// `describe` shows.
//
// What is said twice is said once: an obstacle while it stands, a reason of a plan or of stops as
// long as it is given again. Loop thread only; services and pod outlive this.
#pragma once

#include <cstddef>
#include <deque>
#include <string>
#include <string_view>
#include <vector>

#include "base/clock.hpp"
#include "base/log.hpp"
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
  std::size_t notes_kept = 0;
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
  void note(std::string action, std::string container, std::string why);
  // A note that no recorded decision tells: the ledger gets it as a fact.
  void happened(std::string action, std::string container, std::string what);

  // Reasons that the call before did not give.
  void note_plan(const Reasons& reasons) { note_new(reasons, plan_reasons_); }
  void note_stops(const Reasons& reasons) { note_new(reasons, stop_reasons_); }

  // Told when it is new, or for another reason than before; it is tried again and again.
  void hindered(Obstacle obstacle);
  void unhindered(ObstacleKind kind, const std::string& id) { obstacles_.gone(kind, id); }
  [[nodiscard]] std::vector<Obstacle> obstacles() const { return obstacles_.all(); }

  [[nodiscard]] PodLedger& ledger() { return ledger_; }
  [[nodiscard]] const std::deque<DecisionNote>& notes() const { return notes_; }

 private:
  void note_new(const Reasons& reasons, Reasons& last);

  const TellerServices services_;
  const PodPtr& pod_;
  PodLedger ledger_;
  Obstacles obstacles_{};
  std::deque<DecisionNote> notes_{};
  Reasons plan_reasons_{};
  Reasons stop_reasons_{};
};

}  // namespace berth::lifecycle
