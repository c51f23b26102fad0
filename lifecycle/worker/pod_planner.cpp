// SPDX-License-Identifier: Apache-2.0

#include "lifecycle/worker/pod_planner.hpp"

#include <chrono>
#include <utility>

#include <fmt/core.h>

#include "api/image_reference.hpp"
#include "lifecycle/image_decision.hpp"
#include "lifecycle/pod_spec.hpp"
#include "lifecycle/worker/pod_facts.hpp"
#include "lifecycle/worker/pod_parts.hpp"

namespace berth::lifecycle {
namespace {

constexpr RetryPace kResync{std::chrono::seconds{10}, std::chrono::seconds{15}};

}  // namespace

PodPlanner::PodPlanner(PodParts& parts, const PodFacts& facts)
    : env_(parts.env),
      pod_(parts.pod),
      teller_(parts.teller),
      timetable_(parts.timetable),
      probes_(parts.probes),
      starts_(parts.starts),
      status_(parts.status),
      facts_(facts) {}

std::set<std::string> PodPlanner::images_in_backoff() const {
  const WallTime now = env_.clock.wall_now();
  std::set<std::string> images;
  for (const auto* list : {&pod_->spec.containers, &pod_->spec.initContainers})
    for (const api::Container& container : *list)
      if (asks_presence(container.imagePullPolicy) &&
          !starts_.present_images().contains(container.image) &&
          starts_.in_pull_backoff(container.image, now))
        images.insert(container.image);
  return images;
}

boost::asio::awaitable<void> PodPlanner::look_for_images() {
  for (const std::string& image : images_in_backoff()) {
    const std::string key = "image/" + image;
    if (!timetable_.due(key)) continue;
    const cri::ImageSpec wanted{.image = api::with_default_tag(image)};
    Context context;
    const auto found = co_await env_.images.image_status(context, wanted);
    if (found) {
      starts_.image_present(image);
      timetable_.succeeded(key);
    } else {
      timetable_.failed(key, kResync);
    }
  }
}

PodPlanner::Decided PodPlanner::decide() {
  const WallTime now = env_.clock.wall_now();
  // As in the kubelet's housekeeping.
  starts_.forget_old_failures(env_.options.restarts, now);
  const RuntimePod runtime = without_unstartable(facts_.runtime_view());
  const ProbeResults results = probes_.results();
  const ActuatedResources actuated = actuated_as_specified(*pod_);
  const PlanInput input{.pod = *pod_,
                        .runtime = runtime,
                        .probes = results,
                        .actuated = actuated,
                        .restarts = starts_.restarts(),
                        .pulls = starts_.pull_backoff(),
                        .present_images = starts_.present_images(),
                        .start_time = status_.computed().startTime,
                        .now = now,
                        .restart_policy = env_.options.restarts,
                        .options = env_.options.features};
  Plan decided = plan(input);
  std::string record = teller_.ledger().decided(input, decided, now);
  starts_.keep_decided(*pod_, runtime, decided);
  return {.plan = std::move(decided), .record = std::move(record)};
}

void PodPlanner::note_refusals(const Plan& plan, const std::string& decision) {
  for (const StartRefusal& refusal : plan.refusals) {
    if (!starts_.refused(refusal)) continue;
    const bool restart = refusal.reason == kCrashLoopBackOff;
    const About about{.container = refusal.container,
                      .decision = decision,
                      .reason = std::string(refusal.reason)};
    teller_.event(restart ? EventLevel::kWarning : EventLevel::kNormal, "BackOff",
                  refusal.event_message, about);
    if (!restart) teller_.warn_event("Failed", fmt::format("Error: {}", refusal.reason), about);
  }
}

}  // namespace berth::lifecycle
