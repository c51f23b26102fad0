// SPDX-License-Identifier: Apache-2.0

// When probes run: each keeps its period, none runs more often than that, and the first run is as
// early as it may be.
//
// Exempt are the runs that a kubelet makes out of turn, too: readiness of a container that is not
// ready yet, at most once a second; a run directly after one that took longer than the period; and
// a retry after an error, which is no answer.
#pragma once

#include <map>
#include <optional>
#include <string>

#include "api/pod.hpp"
#include "base/clock.hpp"
#include "tests/simulation/invariants/check.hpp"
#include "tests/simulation/invariants/duties.hpp"
#include "tests/simulation/invariants/invariants.hpp"

namespace berth::simulation {

class CadenceInvariants final : public Check {
 public:
  struct Answer {
    bool errored = false;
    bool passed = false;
    bool ready = false;    // has passed as often as it has to
    bool decided = false;  // the probe has failed, or started up, for good
  };

  CadenceInvariants(const Clock& clock, Invariants& invariants)
      : clock_(clock), invariants_(invariants) {}
  void look_at(const SimulatedRuntime& runtime) { runtime_ = &runtime; }

  void asked(const Instance& instance, const std::string& type, const api::Probe& probe);
  void answered(const Instance& instance, const std::string& type, const api::Container& container,
                const Answer& answer);

  void started(const Instance& instance) override;
  void agent_restarted() override;
  void agent_ends() override;
  void time_passes() override;

 private:
  struct Last {
    SteadyTime asked{};
    bool answered = false;
    bool errored = false;
    bool ready = false;
    Nanoseconds took{};
    Nanoseconds took_before{};  // of the run before
  };

  void owe(const Instance& instance, const std::string& type, SteadyTime until);
  [[nodiscard]] bool waits_for_answer(const std::string& key) const;
  [[nodiscard]] bool excused(const Instance& instance, SteadyTime since) const;

  const Clock& clock_;
  Invariants& invariants_;
  const SimulatedRuntime* runtime_ = nullptr;
  std::optional<SteadyTime> here_since_{};  // berthd; unset while it is away or stops
  std::map<std::string, Last> last_{};      // by type and container id
  Duties duties_{};                         // likewise
};

}  // namespace berth::simulation
