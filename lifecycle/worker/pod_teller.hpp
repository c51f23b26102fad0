// SPDX-License-Identifier: Apache-2.0

// What one pod's worker tells the outside of its deeds: events, log and ledger.
//
// What is said twice is said once: an obstacle while it stands, a reason of a plan or of stops as
// long as it is given again. Loop thread only; services and pod outlive this.
#pragma once

#include <optional>
#include <source_location>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/clock.hpp"
#include "base/log.hpp"
#include "lifecycle/ledger/pod_ledger.hpp"
#include "lifecycle/obstacles.hpp"
#include "lifecycle/pod_events.hpp"
#include "lifecycle/worker/exit_line.hpp"
#include "lifecycle/worker/probe_lines.hpp"

namespace berth::lifecycle {

struct TellerServices {
  Clock& clock;
  PodEvents& events;
  Log& log;
  Ledger* ledger = nullptr;  // null: nothing is recorded
};

// What a line is about. Empty: the pod itself; not known; there is none.
struct About {
  std::string container{};  // its name
  std::string container_id{};
  std::string decision{};  // the record that says why, or tells the same: record_id()
  std::string reason{};    // the word that the status has for it
};

// An end that is told.
struct ExitSeen {
  EndWanted wanted = EndWanted::kNo;
  bool told_before = false;  // with another reason, ahead of the runtime's word
};

class PodTeller {
 public:
  using Where = std::source_location;

  // `pod`: as it is whenever something is told.
  PodTeller(const TellerServices& services, const PodPtr& pod)
      : services_(services), pod_(pod), ledger_(services.ledger) {}
  PodTeller(const PodTeller&) = delete;
  PodTeller& operator=(const PodTeller&) = delete;
  ~PodTeller() = default;

  void event(EventLevel level, std::string_view reason, std::string message,
             const About& about = {}, Where where = Where::current());
  void warn_event(std::string_view reason, std::string message, const About& about = {},
                  Where where = Where::current());
  void log(LogLevel level, std::string_view event, const std::string& message,
           const About& about = {}, Where where = Where::current());
  // What is known of the container is its name.
  void event(EventLevel level, std::string_view reason, std::string message,
             const std::string& container, Where where = Where::current());
  void warn_event(std::string_view reason, std::string message, const std::string& container,
                  Where where = Where::current());
  void log(LogLevel level, std::string_view event, const std::string& message,
           const std::string& container, Where where = Where::current());

  // What no recorded decision tells, for the ledger. `container`: its name; empty: the pod itself.
  // The record's id; empty: there is no ledger.
  std::string happened(std::string container, const Fact& fact);
  std::string happened(std::string action, std::string container, std::string what) {
    return happened(std::move(container),
                    Remark{.action = std::move(action), .text = std::move(what)});
  }
  // The same, unless the last such fact said the same.
  std::string happened_anew(std::string container, const Fact& fact);
  // A decision, if it is news. The id of the record that says it; empty: no record does.
  template <class Question, class Decision>
  std::string decided(const Question& question, const Decision& decision) {
    return ledger_.decided(question, decision, services_.clock.wall_now());
  }
  // A container's end, for the ledger and the log. What the runtime adds to one that was told
  // before is a line of its own only if it was killed for want of memory.
  void exited(const cri::ContainerStatus& status, const ExitSeen& seen,
              Where where = Where::current());

  // A probe's event; the log has less of it (probe_lines.hpp).
  void probe_failed(std::string_view reason, std::string message, const std::string& container,
                    Where where = Where::current());
  // `probe`: "Readiness". Its next failure is news.
  void probe_succeeded(std::string_view probe, const std::string& container) {
    probe_lines_.succeeded(container, probe);
  }

  // Reasons that the call before did not give. `decision`: the record's id.
  void log_plan(const Reasons& reasons, const std::string& decision = {}) {
    log_new(reasons, decision, plan_reasons_);
  }
  void log_stops(const Reasons& reasons, const std::string& decision = {}) {
    log_new(reasons, decision, stop_reasons_);
  }

  // Told when it is new, or for another reason than before; it is tried again and again.
  void hindered(Obstacle obstacle);
  void unhindered(ObstacleKind kind, const std::string& id) { obstacles_.gone(kind, id); }
  [[nodiscard]] std::vector<Obstacle> obstacles() const { return obstacles_.all(); }

  [[nodiscard]] PodLedger& ledger() { return ledger_; }
  // What was recorded last; none: nothing yet.
  [[nodiscard]] const std::optional<DatedReason>& last() const { return ledger_.last(); }

 private:
  void log_new(const Reasons& reasons, const std::string& decision, Reasons& last);
  void record(EventLevel level, std::string_view reason, std::string message,
              const std::string& container);
  [[nodiscard]] std::vector<LogField> fields(const About& about) const;

  const TellerServices services_;
  const PodPtr& pod_;
  PodLedger ledger_;
  Obstacles obstacles_{};
  Reasons plan_reasons_{};
  Reasons stop_reasons_{};
  ProbeLines probe_lines_{};
};

}  // namespace berth::lifecycle
