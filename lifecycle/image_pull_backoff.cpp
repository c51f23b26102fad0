// SPDX-License-Identifier: Apache-2.0

#include "lifecycle/image_pull_backoff.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "lifecycle/reasons.hpp"

namespace berth::lifecycle {

ImagePullVerdict check_pull(const ImagePullBackoff& history, const ImagePullBackoffPolicy& policy,
                            std::string_view pod_uid, std::string_view image, WallTime now) {
  ImagePullVerdict verdict;
  const auto found = history.entries.find({std::string(pod_uid), std::string(image)});
  if (found == history.entries.end()) return verdict;
  const ImagePullBackoff::Entry& entry = found->second;
  if (now - entry.last_failure > policy.forget_after) return verdict;
  const WallTime until = entry.last_failure + entry.window;
  if (now >= until) return verdict;

  verdict.in_backoff = true;
  verdict.until = until;
  verdict.reason = kImagePullBackOff;
  verdict.event_message = fmt::format("Back-off pulling image \"{}\"", image);
  verdict.message = fmt::format("{}: {}: {}", verdict.event_message, entry.reason, entry.message);
  return verdict;
}

ImagePullBackoff record_pull_failure(ImagePullBackoff history, const ImagePullBackoffPolicy& policy,
                                     std::string pod_uid, std::string image, std::string reason,
                                     std::string message, WallTime now) {
  const auto [place, added] = history.entries.try_emplace({std::move(pod_uid), std::move(image)});
  ImagePullBackoff::Entry& entry = place->second;
  const bool fresh = added || now - entry.last_failure > policy.forget_after;
  entry.window = std::min(fresh ? policy.initial : entry.window * 2, policy.max);
  entry.last_failure = now;
  entry.reason = std::move(reason);
  entry.message = std::move(message);
  return history;
}

ImagePullBackoff collect_garbage(ImagePullBackoff history, const ImagePullBackoffPolicy& policy,
                                 WallTime now) {
  std::erase_if(history.entries, [&](const auto& item) {
    return now - item.second.last_failure > policy.forget_after;
  });
  return history;
}

}  // namespace berth::lifecycle
