// SPDX-License-Identifier: Apache-2.0

#include "lifecycle/worker/store_wait.hpp"

#include <chrono>

#include <fmt/format.h>

namespace berth::lifecycle {

StoreWaitDecision decide_store_wait(const StoreWaitQuestion& question) {
  const bool stored = !question.under_way && question.error.empty();
  return {.outcome = stored ? StoreWait::kStored : StoreWait::kGivenUp};
}

Reason store_wait_reason(const StoreWaitQuestion& question, const StoreWaitDecision& decision) {
  if (decision.outcome == StoreWait::kStored)
    return {.subject = "pod", .rule = "Stored", .text = "the store knows of the stop"};
  const auto limit = std::chrono::duration_cast<std::chrono::milliseconds>(question.limit);
  const std::string store = question.under_way
                                ? fmt::format("has not answered within {} ms", limit.count())
                                : fmt::format("has refused it: {}", question.error);
  return {.subject = "pod",
          .rule = "StoreNotWaited",
          .text = fmt::format("berthd stops the pod before the stop is persisted: the store {}; if "
                              "berthd dies now, a preStop hook may run again",
                              store)};
}

}  // namespace berth::lifecycle
