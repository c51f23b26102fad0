// SPDX-License-Identifier: Apache-2.0

// The status of a pod as it was computed last, and as it is shown.
//
// They differ while a terminal phase is held back (status_stamp.hpp); every decision goes by the
// computed one. A plain value.
#pragma once

#include <optional>
#include <utility>

#include "api/pod.hpp"
#include "lifecycle/ending.hpp"
#include "lifecycle/pod_events.hpp"

namespace berth::lifecycle {

// Whose status is shown: the pod, and the order to end it, also one that waits in the mailbox.
struct ShownSpec {
  PodPtr pod{};
  std::optional<EndInForce> end{};

  bool operator==(const ShownSpec&) const = default;
};

class ShownStatus {
 public:
  // `status`: as somebody else showed it, to begin from.
  explicit ShownStatus(const api::PodStatus& status) : computed_(status), shown_(status) {}

  // Computed and stamped.
  [[nodiscard]] const api::PodStatus& computed() const { return computed_; }
  void compute(api::PodStatus status) { computed_ = std::move(status); }
  // The pod began before this berthd.
  void begin_at(api::Time start) { computed_.startTime = start; }

  [[nodiscard]] const api::PodStatus& shown() const { return shown_; }
  // By this berthd.
  [[nodiscard]] bool shown_once() const { return spec_.has_value(); }
  // As an earlier berthd has shown it.
  void recall_shown(api::PodStatus status) { shown_ = std::move(status); }
  // Whether that would be news.
  [[nodiscard]] bool differs(const api::PodStatus& next, const ShownSpec& spec) const;
  void show(api::PodStatus next, ShownSpec spec);

 private:
  api::PodStatus computed_{};
  api::PodStatus shown_{};
  std::optional<ShownSpec> spec_{};  // unset: nothing has been shown yet
};

}  // namespace berth::lifecycle
