// SPDX-License-Identifier: Apache-2.0

// What happened to a pod, as typed values. A fact's record holds the values, and a text derived
// from them for people who read raw records.
//
// A fact that is only ever displayed is a Remark. Records of earlier versions, which have only the
// text, are read as remarks as well. Plain values.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "api/pod.hpp"
#include "base/clock_types.hpp"
#include "lifecycle/ending.hpp"
#include "lifecycle/ledger/ledger.hpp"

namespace berth::lifecycle {

// `action` is a stable word; `text` is a clause: what happened, and why.
struct Remark {
  std::string action{};
  std::string text{};
};

struct ContainerExited {
  std::int32_t exit_code = 0;
  std::string reason{};  // the runtime's: Error, Completed, OOMKilled …

  bool operator==(const ContainerExited&) const = default;
};

// The runtime was asked to stop a container.
struct StopSent {
  std::string message{};  // why; the message of its Killing event
  std::int64_t grace_seconds = 0;
  bool shortened = false;  // it was asked once more, with a shorter period
};

// The worker's state changed.
struct StateEntered {
  std::string from{};
  std::string to{};
  std::string because{};  // a clause
};

// A container or the sandbox could not be started.
struct StartFailed {
  std::string reason{};  // of the waiting container; empty for the sandbox
  std::string error{};
};

struct PullFailed {
  std::string reason{};
  std::string error{};
};

// An image cannot be used, for a reason other than a failed pull.
struct ImageFailed {
  std::string reason{};
  std::string error{};
};

struct ContainerEnd {
  std::string name{};
  bool init = false;
  std::optional<std::int32_t> exit_code{};  // unset if it never ran
  std::string reason{};
};

// Nothing is left of the pod.
struct PodRemoved {
  std::optional<EndCause> cause{};  // unset if an earlier berthd was asked to end it
  bool forced = false;
  std::string phase{};   // the last that was shown; empty if it had not begun
  std::string reason{};  // status.reason
  std::vector<ContainerEnd> ends{};
};

using Fact = std::variant<Remark, ContainerExited, StopSent, StateEntered, StartFailed, PullFailed,
                          ImageFailed, PodRemoved>;

// The word under which a fact is recorded.
[[nodiscard]] std::string fact_action(const Fact& fact);
// What happened, as a clause.
[[nodiscard]] std::string fact_text(const Fact& fact);

// Who ended the pod, as a clause.
[[nodiscard]] std::string cause_text(const PodRemoved& removed);
// How it ended, as a clause.
[[nodiscard]] std::string end_text(const PodRemoved& removed);

// `container` is empty for the pod as a whole.
[[nodiscard]] LedgerRecord fact_record(const api::Pod& pod, WallTime at, std::string container,
                                       const Fact& fact);
// The fact of a fact's record. A record that this version cannot read yields a Remark made from its
// reason.
[[nodiscard]] Fact recorded_fact(const LedgerRecord& record);

}  // namespace berth::lifecycle
