// SPDX-License-Identifier: Apache-2.0

#include "lifecycle/worker/pod_course.hpp"

namespace berth::lifecycle {

std::string_view to_string(WorkerState state) {
  switch (state) {
    case WorkerState::kSyncing:
      return "syncing";
    case WorkerState::kEnding:
      return "ending";
    case WorkerState::kEnded:
      return "ended";
    case WorkerState::kRemoving:
      return "removing";
    case WorkerState::kFinished:
      return "finished";
  }
  return "unknown";
}

}  // namespace berth::lifecycle
