// SPDX-License-Identifier: Apache-2.0

// Parts of compute_pod_actions; for its own sources only.
//
// One pass over one pod: its input, and the actions gathered so far. Each part adds the actions
// that its name states.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "lifecycle/pod_actions.hpp"

namespace berth::lifecycle {

class ActionPass {
 public:
  explicit ActionPass(const PodActionsInput& input) : in(input) {}

  // A new sandbox is needed: start over, as far as the restart policy allows.
  void start_over();
  // Ephemeral containers that never ran.
  void start_ephemeral_containers();
  // Init containers and sidecars. False if the pod is not initialised yet, so that regular
  // containers wait.
  bool consider_init_containers();
  void consider_regular_containers();

  const PodActionsInput& in;
  PodActions out{};

 private:
  enum class InitOutcome { kGoOn, kInitialized, kPodFailed };
  InitOutcome consider_init(std::size_t index, const RuntimeContainer& record, bool initialized,
                            bool previously);
  InitOutcome consider_running_sidecar(std::size_t index, const RuntimeContainer& record,
                                       bool initialized, bool previously);
  void check_started_sidecar(std::size_t index, const RuntimeContainer& record);
  InitOutcome consider_exited_init(std::size_t index, const RuntimeContainer& record);
  InitOutcome consider_unknown_init(std::size_t index, const RuntimeContainer& record);
  void restart_init(std::size_t index, const RuntimeContainer& record, KillReason reason,
                    std::string message, std::string_view rule);
  void start_init(std::size_t index, std::string_view rule, std::string text);

  // True if the container keeps running.
  bool consider_running_container(std::size_t index, const RuntimeContainer& record);
  void consider_stopped_container(std::size_t index, const RuntimeContainer* record);

  // Compares applied and wanted resources of a running container (pod_actions_resize.cpp). True if
  // the container keeps running, updated in place or unchanged.
  enum class Kind { kInit, kRegular };
  bool keep_after_resize(Kind kind, std::size_t index, const RuntimeContainer& record);

  void kill(const RuntimeContainer& record, KillReason reason, std::string message,
            std::string_view rule);
  void because(std::string_view subject, std::string_view rule, std::string text);
};

}  // namespace berth::lifecycle
