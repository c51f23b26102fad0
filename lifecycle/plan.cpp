// SPDX-License-Identifier: Apache-2.0

#include "lifecycle/plan.hpp"

#include <algorithm>

#include "lifecycle/pod_spec.hpp"
#include "lifecycle/reasons.hpp"

namespace berth::lifecycle {
namespace {

std::optional<StartRefusal> refused_restart(const PlanInput& input,
                                            const RestartIdentity& identity) {
  RestartVerdict verdict =
      check_restart(input.restarts, input.restart_policy, identity, input.runtime, input.now);
  if (!verdict.in_backoff) return std::nullopt;
  return StartRefusal{.container = identity.container,
                      .reason = std::move(verdict.reason),
                      .message = std::move(verdict.message),
                      .event_message = "Back-off restarting failed container " +
                                       identity.container + " in pod " + pod_description(input.pod),
                      .until = verdict.until};
}

std::optional<StartRefusal> refused_pull(const PlanInput& input, const std::string& container,
                                         const std::string& image, std::string_view pull_policy) {
  if (pull_policy == "Never") return std::nullopt;
  if (pull_policy != "Always" && input.present_images->contains(image)) return std::nullopt;
  ImagePullVerdict verdict =
      check_pull(input.pulls, input.pull_policy, input.pod->metadata.uid, image, input.now);
  if (!verdict.in_backoff) return std::nullopt;
  return StartRefusal{.container = container,
                      .reason = std::move(verdict.reason),
                      .message = std::move(verdict.message),
                      .event_message = std::move(verdict.event_message),
                      .until = verdict.until};
}

class PlanFilter {
 public:
  PlanFilter(const PlanInput& input, Plan& plan) : input_(input), plan_(plan) {}

  // A refused init container holds back everything after it; a refused sidecar only itself.
  void filter_init_containers() {
    std::vector<std::size_t> kept;
    for (const std::size_t i : plan_.actions.init_containers_to_start) {
      const api::Container& container = input_.pod->spec.initContainers[i];
      // The init containers' records in the old sandbox are removed for a new one, and their exits
      // with them.
      if (may_start(container, !plan_.actions.create_sandbox)) {
        kept.push_back(i);
      } else if (!is_sidecar(container)) {
        plan_.actions.containers_to_start.clear();
        break;
      }
    }
    plan_.actions.init_containers_to_start = std::move(kept);
  }

  void filter_regular_containers() {
    std::erase_if(plan_.actions.containers_to_start,
                  [&](std::size_t i) { return !may_start(input_.pod->spec.containers[i]); });
  }

  void filter_ephemeral_containers() {
    std::erase_if(plan_.actions.ephemeral_containers_to_start, [&](std::size_t i) {
      return !may_start(input_.pod->spec.ephemeralContainers[i]);
    });
  }

 private:
  template <class AnyContainer>
  bool may_start(const AnyContainer& container, bool exits_count = true) {
    const RestartIdentity identity =
        restart_identity(input_.pod, container.name, container.image, container.resources);
    std::optional<StartRefusal> refusal;
    if (exits_count) refusal = refused_restart(input_, identity);
    if (!refusal) {
      refusal = refused_pull(input_, container.name, container.image, container.imagePullPolicy);
    }
    if (!refusal) return true;
    plan_.actions.reasons.push_back(
        Reason{.subject = container.name, .rule = refusal->reason, .text = refusal->message});
    look_again_at(refusal->until);
    plan_.refusals.push_back(std::move(*refusal));
    return false;
  }

  void look_again_at(WallTime at) {
    plan_.look_again_at = plan_.look_again_at ? std::min(*plan_.look_again_at, at) : at;
  }

  const PlanInput& input_;
  Plan& plan_;
};

}  // namespace

Plan plan(const PlanInput& input) {
  Plan out;
  const auto deadline = active_deadline(input.pod, input.start_time);
  if (deadline && input.now >= *deadline) {
    out.deadline_exceeded = true;
    out.actions.reasons.push_back(Reason{.subject = "pod",
                                         .rule = std::string(kDeadlineExceeded),
                                         .text = std::string(kDeadlineExceededMessage)});
    return out;
  }
  out.look_again_at = deadline;
  out.actions = compute_pod_actions(PodActionsInput{.pod = input.pod,
                                                    .runtime = input.runtime,
                                                    .probes = input.probes,
                                                    .actuated = input.actuated,
                                                    .options = input.options});
  PlanFilter filter(input, out);
  filter.filter_ephemeral_containers();
  filter.filter_init_containers();
  filter.filter_regular_containers();
  return out;
}

}  // namespace berth::lifecycle
