// SPDX-License-Identifier: Apache-2.0

// The status of a pod as last computed, and as shown.
//
// They differ while a terminal phase is held back (status_stamp.hpp); every decision uses the
// computed one. A plain value.
#pragma once

#include <optional>
#include <utility>

#include "api/pod.hpp"
#include "lifecycle/ending.hpp"
#include "lifecycle/pod_events.hpp"

namespace berth::lifecycle {

// Whose status is shown: the pod, and the order to end it, even one that waits in the mailbox.
struct ShownSpec {
  PodPtr pod{};
  std::optional<EndInForce> end{};

  bool operator==(const ShownSpec&) const = default;
};

class ShownStatus {
 public:
  // `status`: the initial status, as somebody else showed it.
  explicit ShownStatus(const api::PodStatus& status) : computed_(status), shown_(status) {}

  // The computed and stamped status.
  [[nodiscard]] const api::PodStatus& computed() const { return computed_; }
  void compute(api::PodStatus status) { computed_ = std::move(status); }
  // Sets the start time of a pod that began before this berthd.
  void begin_at(api::Time start) { computed_.startTime = start; }

  [[nodiscard]] const api::PodStatus& shown() const { return shown_; }
  // Whether this berthd has shown a status.
  [[nodiscard]] bool shown_once() const { return spec_.has_value(); }
  // Restores the status that an earlier berthd has shown.
  void recall_shown(api::PodStatus status) { shown_ = std::move(status); }
  // Whether that differs from what is shown.
  [[nodiscard]] bool differs(const api::PodStatus& next, const ShownSpec& spec) const;
  void show(api::PodStatus next, ShownSpec spec);

 private:
  api::PodStatus computed_{};
  api::PodStatus shown_{};
  std::optional<ShownSpec> spec_{};  // unset if nothing has been shown yet
};

}  // namespace berth::lifecycle
