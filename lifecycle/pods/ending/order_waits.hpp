// SPDX-License-Identifier: Apache-2.0

// Lets whoever gave an order wait until the store has it, or until nothing of the pod is left. The
// parts outlive this object. Loop thread only.
#pragma once

#include <string>
#include <vector>

#include <boost/asio/awaitable.hpp>

#include "base/clock.hpp"

namespace berth {

class Broadcast;
class TaskGroup;

}  // namespace berth

namespace berth::lifecycle {

class PodRecords;
class PodVerdicts;
struct PodSetParts;

class OrderWaits {
 public:
  explicit OrderWaits(PodSetParts& parts);

  // Completes when the store has the orders for the pod, or after a second; true if it has them.
  [[nodiscard]] boost::asio::awaitable<bool> stored(std::string uid);
  // Whether nothing of the pod runs any more and its volumes and cgroups are removed. True for
  // unknown pods, and for pods without a worker, whose remains, if any, are removed within a
  // moment.
  [[nodiscard]] bool is_released(const std::string& uid) const;
  // Completes when that is so for all of them, or at the deadline.
  [[nodiscard]] boost::asio::awaitable<void> until_released(std::vector<std::string> uids,
                                                            SteadyTime deadline);

 private:
  [[nodiscard]] bool are_stored(const std::string& uid) const;

  Clock& clock_;
  const TaskGroup& tasks_;
  const PodRecords& records_;
  const PodVerdicts& verdicts_;
  Broadcast& settled_bell_;
};

}  // namespace berth::lifecycle
