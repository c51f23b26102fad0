// SPDX-License-Identifier: Apache-2.0

// ContainerStarts: the images of the pod's containers, their pulls, and the backoff of failed ones.

#include <algorithm>
#include <utility>

#include "base/rpc_error.hpp"
#include "lifecycle/worker/starts/container_starts.hpp"

namespace berth::lifecycle {
namespace {

bool has_failed(const ImagePull& pull) {
  return pull.outcome && !*pull.outcome;
}

ImagePullBackoff with_failure(ImagePullBackoff history, const std::string& uid,
                              const std::string& image, const Error& error, WallTime at) {
  PullFailure failure = classify_pull_failure(image, std::string(without_unknown(error.message)));
  return record_pull_failure(std::move(history), {}, uid, image, std::move(failure.reason),
                             std::move(failure.message), at);
}

}  // namespace

const ImagePull* ContainerStarts::pull(const std::string& name) const {
  const ContainerStartRecord* record = find(name);
  return record == nullptr || !record->pull ? nullptr : &*record->pull;
}

bool ContainerStarts::is_pulling(const std::string& image) const {
  return std::ranges::any_of(records_, [&image](const auto& entry) {
    const std::optional<ImagePull>& pull = entry.second.pull;
    return pull && pull->image == image && !pull->outcome;
  });
}

void ContainerStarts::begin_pull(const std::string& name, std::string image) {
  records_[name].pull = {.image = std::move(image)};
}

bool ContainerStarts::pull_ended(const std::string& name, Result<PulledImage> outcome,
                                 WallTime at) {
  const auto record = records_.find(name);
  if (record == records_.end() || !record->second.pull) return false;
  record->second.pull->outcome = std::move(outcome);
  record->second.pull->ended = at;
  return true;
}

void ContainerStarts::forget_pull(const std::string& name) {
  records_[name].pull.reset();
}

ImagePull ContainerStarts::finish_pull(const std::string& name) {
  std::optional<ImagePull>& pull = records_[name].pull;
  if (has_failed(*pull)) count_failed_pulls(pull->image);
  return *std::exchange(pull, std::nullopt);
}

bool ContainerStarts::in_pull_backoff(const std::string& image, WallTime now) const {
  return check_pull(pull_backoff_, {}, uid_, image, now).in_backoff;
}

void ContainerStarts::count_pull_failure(const std::string& image, const Error& error,
                                         WallTime at) {
  pull_backoff_ = with_failure(std::move(pull_backoff_), uid_, image, error, at);
}

void ContainerStarts::count_failed_pulls(const std::string& image) {
  for (auto& [name, record] : records_) {
    std::optional<ImagePull>& pull = record.pull;
    if (!pull || pull->image != image || pull->counted || !has_failed(*pull)) continue;
    pull->counted = true;
    count_pull_failure(image, pull->outcome->error(), pull->ended);
  }
}

ImagePullBackoff ContainerStarts::with_failed_pulls() const {
  ImagePullBackoff history = pull_backoff_;
  for (const auto& [name, record] : records_) {
    const std::optional<ImagePull>& pull = record.pull;
    if (!pull || pull->counted || !has_failed(*pull)) continue;
    history =
        with_failure(std::move(history), uid_, pull->image, pull->outcome->error(), pull->ended);
  }
  return history;
}

void ContainerStarts::forget_old_failures(const RestartBackoffPolicy& policy, WallTime now) {
  restarts_ = collect_garbage(std::move(restarts_), policy, now);
  pull_backoff_ = collect_garbage(std::move(pull_backoff_), {}, now);
}

}  // namespace berth::lifecycle
