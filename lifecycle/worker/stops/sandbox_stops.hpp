// SPDX-License-Identifier: Apache-2.0

// The stops of one pod's sandboxes: which have been stopped by a call of this berthd, and whether
// the whole pod is being stopped to be replaced by a new sandbox. A plain value.
#pragma once

#include <cstdint>
#include <optional>
#include <set>
#include <string>

namespace berth::lifecycle {

class SandboxStops {
 public:
  void stopped(const std::string& id) { stopped_.insert(id); }
  [[nodiscard]] bool is_stopped(const std::string& id) const { return stopped_.contains(id); }
  // The sandbox is to be stopped once more, for a container that outlived its stop.
  void stop_again(const std::string& id) { stopped_.erase(id); }

  // A plan has begun to stop the whole pod although it should run: the stop continues until nothing
  // runs.
  void begin_whole_pod() { whole_pod_ = true; }
  void end_whole_pod() { whole_pod_ = false; }
  [[nodiscard]] bool stops_whole_pod() const { return whole_pod_; }

  // Whether to report that the sandbox is replaced by one with this attempt: true once for each
  // attempt.
  [[nodiscard]] bool report_change(std::uint32_t attempt) {
    if (reported_ == attempt) return false;
    reported_ = attempt;
    return true;
  }

 private:
  std::set<std::string> stopped_{};  // by id
  bool whole_pod_ = false;
  std::optional<std::uint32_t> reported_{};
};

}  // namespace berth::lifecycle
