// SPDX-License-Identifier: Apache-2.0

#include "tests/simulation/invariants/invariants_images.hpp"

#include <algorithm>
#include <chrono>

#include <fmt/core.h>

#include "tests/simulation/invariants/pod_facts.hpp"
#include "tests/simulation/runtime/simulated_runtime.hpp"
#include "tests/simulation/simulated_store.hpp"

namespace berth::simulation {
namespace {

using std::chrono::seconds;

// Kubernetes' own values.
constexpr seconds kFirst{10};
constexpr seconds kLongest{300};
constexpr seconds kForgotten{600};
// The time within which a failure is stored, beside other work.
constexpr seconds kStoredWithin{5};
// A failure whose answer has not reached berthd yet.
constexpr std::chrono::milliseconds kOnItsWay{50};

}  // namespace

bool ImageInvariants::is_stored(const Key& key) const {
  const auto row = store_->rows().find(key.first);
  return row != store_->rows().end() && row->second->pulls.entries.contains(key);
}

// The next berthd respects the backoffs that are durable.
void ImageInvariants::agent_restarted() {
  const auto now = clock_.steady_now();
  for (const auto& [key, window] : windows_) {
    const auto ago = ended_ - window.failed;
    const auto pod = invariants_.pods().find(key.first);
    const bool lives = store_->rows().contains(key.first) && pod != invariants_.pods().end() &&
                       pod->second.desired && pod->second.final_phase.empty();
    if (lives && ago > kStoredWithin && ago < kForgotten &&
        invariants_.undisturbed_since(window.failed) && !is_stored(key))
      invariants_.violated(
          fmt::format("that {} failed to pull {} is not in the store, {:.1f} s before berthd ended",
                      key.first, key.second, in_seconds(ago)));
  }
  std::erase_if(windows_, [this](const auto& entry) { return !is_stored(entry.first); });
  // After a failure that came too late to be stored the previous one applies.
  for (auto& [key, window] : windows_) {
    const auto& entry = store_->rows().at(key.first)->pulls.entries.at(key);
    window.length = entry.window;
    window.failed = std::min(window.failed, now - (clock_.wall_now() - entry.last_failure));
  }
}

void ImageInvariants::removed(const lifecycle::PodPtr& pod) {
  std::erase_if(windows_,
                [&pod](const auto& entry) { return entry.first.first == pod->metadata.uid; });
}

void ImageInvariants::pull_called(const std::string& pod_uid, const std::string& image) {
  const auto pod = invariants_.pods().find(pod_uid);
  if (pod == invariants_.pods().end()) return;
  bool asked = false;
  for (const auto* list :
       {&pod->second.pod->spec.containers, &pod->second.pod->spec.initContainers})
    asked = asked || std::ranges::any_of(*list, [&image](const api::Container& container) {
              if (container.image != image || container.imagePullPolicy == "Never") return false;
              return container.imagePullPolicy == "Always" || !image.starts_with("present/");
            });
  if (!asked)
    invariants_.violated(
        fmt::format("{} pulls {}, which no container of it asks for", pod_uid, image));
  const auto window = windows_.find({pod_uid, image});
  if (window == windows_.end()) return;
  const auto waited = clock_.steady_now() - window->second.failed;
  if (waited >= window->second.length || waited < kOnItsWay) return;
  // The time of the failure is stored in wall time.
  if (invariants_.disturbances().wall_jumped_since(window->second.failed)) return;
  invariants_.violated(
      fmt::format("{} pulls {} {:.3f} s after that failed; its backoff is {:.0f} s", pod_uid, image,
                  in_seconds(waited), in_seconds(window->second.length)));
}

void ImageInvariants::pull_failed(const std::string& pod_uid, const std::string& image) {
  const auto now = clock_.steady_now();
  const auto [window, first] = windows_.try_emplace({pod_uid, image});
  const bool anew = first || now - window->second.failed > kForgotten;
  const auto next = anew ? kFirst : std::min<Nanoseconds>(2 * window->second.length, kLongest);
  // Whether 600 s have passed is decided in wall time.
  const bool unsure = !first && invariants_.disturbances().wall_jumped_since(window->second.failed);
  window->second = {.length = unsure ? Nanoseconds(kFirst) : Nanoseconds(next), .failed = now};
}

// An image that a container was created from stays as long as its pod is wanted; for a pod that is
// not, a slow earlier call may have created another container.
void ImageInvariants::image_removal_called(const std::string& id) {
  for (const auto& instance : runtime_->instances()) {
    if (instance.removed || instance.config.image.image != id) continue;
    const auto pod = invariants_.pods().find(instance.pod_uid);
    if (pod == invariants_.pods().end() || !pod->second.desired) continue;
    invariants_.violated(
        fmt::format("image {} is removed, and {} is made from it", id, called(instance)));
  }
}

}  // namespace berth::simulation
