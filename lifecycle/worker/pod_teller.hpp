// SPDX-License-Identifier: Apache-2.0

// Reports what one pod's worker does: events, log lines and ledger records.
//
// Suppresses repetitions: an obstacle is reported once while it lasts, and a reason of a plan or of
// stops once while every decision repeats it. Loop thread only; services and pod outlive this.
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
#include "lifecycle/worker/probes/probe_lines.hpp"
#include "probes/probe_view.hpp"

namespace berth::lifecycle {

struct TellerServices {
  Clock& clock;
  PodEvents& events;
  Log& log;
  Ledger* ledger = nullptr;  // null if nothing is recorded
};

// What a line is about. Without a container, the pod itself.
struct About {
  std::string container{};  // its name
  std::string container_id{};
  std::string decision{};  // id (record_id()) of the record that explains or states it
  std::string reason{};    // as in the status
};

// How the worker sees the end of a container.
struct ExitSeen {
  EndWanted wanted = EndWanted::kNo;
  bool reported_before = false;  // with another reason, before the runtime reported the end
};

class PodTeller {
 public:
  using Where = std::source_location;

  // `pod`: read anew for each report.
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
  // The same about a container of which only the name is known.
  void event(EventLevel level, std::string_view reason, std::string message,
             const std::string& container, Where where = Where::current());
  void warn_event(std::string_view reason, std::string message, const std::string& container,
                  Where where = Where::current());
  void log(LogLevel level, std::string_view event, const std::string& message,
           const std::string& container, Where where = Where::current());

  // Records a fact that no decision's record contains. `container`: its name; empty for the pod
  // itself. Returns the record's id; empty if there is no ledger.
  std::string happened(std::string container, const Fact& fact);
  std::string happened(std::string action, std::string container, std::string what) {
    return happened(std::move(container),
                    Remark{.action = std::move(action), .text = std::move(what)});
  }
  // The same, unless the last such fact was equal.
  std::string happened_anew(std::string container, const Fact& fact);
  // Records a decision if it is news. Returns the id of the record that contains it; empty if none
  // does.
  template <class Question, class Decision>
  std::string decided(const Question& question, const Decision& decision) {
    return ledger_.decided(question, decision, services_.clock.wall_now());
  }
  // Reports a container's end to the ledger and the log. If the end was reported before, what the
  // runtime adds is logged only for a container that was killed for lack of memory.
  void exited(const cri::ContainerStatus& status, const ExitSeen& seen,
              Where where = Where::current());

  // Emits a probe's event; the log gets fewer lines (probe_lines.hpp).
  void probe_failed(const probes::ProbeEvent& event, Where where = Where::current());
  // The next failure of this probe is news.
  void probe_succeeded(probes::ProbeType type, const std::string& container) {
    probe_lines_.succeeded(container, type);
  }

  // Logs the reasons that the previous call did not have. `decision`: the record's id.
  void log_plan(const Reasons& reasons, const std::string& decision = {}) {
    log_new(reasons, decision, plan_reasons_);
  }
  void log_stops(const Reasons& reasons, const std::string& decision = {}) {
    log_new(reasons, decision, stop_reasons_);
  }

  // Reports an obstacle that is new or has a new reason; the worker retries all the while.
  void hindered(Obstacle obstacle);
  void unhindered(ObstacleKind kind, const std::string& id) { obstacles_.gone(kind, id); }
  [[nodiscard]] std::vector<Obstacle> obstacles() const { return obstacles_.all(); }

  [[nodiscard]] PodLedger& ledger() { return ledger_; }
  // The newest reason recorded; unset if there is none yet.
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
