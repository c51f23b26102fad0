// SPDX-License-Identifier: Apache-2.0

// What happened to a pod, as typed values: a record of a fact holds them, and its text is made of
// them for whoever reads records as they are.
//
// A fact that is only ever shown is a Remark. Records of earlier versions, which have the text
// alone, are read as remarks as well. Plain values.
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

// `action` is a stable word; `text` a clause that says what happened and why.
struct Remark {
  std::string action{};
  std::string text{};
};

struct ContainerExited {
  std::int32_t exit_code = 0;
  std::string reason{};  // the runtime's: Error, Completed, OOMKilled …

  bool operator==(const ContainerExited&) const = default;
};

// The runtime is asked to stop a container.
struct StopSent {
  std::string message{};  // why, as its Killing event says
  std::int64_t grace_seconds = 0;
  bool shortened = false;  // once more, with a shorter period
};

// The worker's state changed.
struct StateEntered {
  std::string from{};
  std::string to{};
  std::string because{};  // a clause
};

// A container that could not be started, or the sandbox.
struct StartFailed {
  std::string reason{};  // of the waiting container; empty: the sandbox's
  std::string error{};
};

struct PullFailed {
  std::string reason{};
  std::string error{};
};

// An image that is not pulled, and cannot be used.
struct ImageFailed {
  std::string reason{};
  std::string error{};
};

struct ContainerEnd {
  std::string name{};
  bool init = false;
  std::optional<std::int32_t> exit_code{};  // none: it never ran
  std::string reason{};
};

// Nothing is left of the pod.
struct PodRemoved {
  std::optional<EndCause> cause{};  // none: an earlier berthd was told to end it
  bool forced = false;
  std::string phase{};   // the last that was shown; empty: it had not begun
  std::string reason{};  // status.reason
  std::vector<ContainerEnd> ends{};
};

using Fact = std::variant<Remark, ContainerExited, StopSent, StateEntered, StartFailed, PullFailed,
                          ImageFailed, PodRemoved>;

// The word under which a fact is recorded.
[[nodiscard]] std::string fact_action(const Fact& fact);
// A clause that says what happened.
[[nodiscard]] std::string fact_text(const Fact& fact);

// Who ended a pod; a clause.
[[nodiscard]] std::string cause_text(const PodRemoved& removed);
// How it ended, likewise.
[[nodiscard]] std::string end_text(const PodRemoved& removed);

// `container` is empty for the pod as a whole.
[[nodiscard]] LedgerRecord fact_record(const api::Pod& pod, WallTime at, std::string container,
                                       const Fact& fact);
// Of a record of a fact; one that this version cannot read gives the remark that its reason is.
[[nodiscard]] Fact recorded_fact(const LedgerRecord& record);

}  // namespace berth::lifecycle
