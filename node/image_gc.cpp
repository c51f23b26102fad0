// SPDX-License-Identifier: Apache-2.0

#include "node/image_gc.hpp"

#include <algorithm>
#include <limits>
#include <utility>

#include <fmt/core.h>
#include <fmt/ranges.h>

#include "api/image_reference.hpp"
#include "api/time.hpp"

namespace berth::node {
namespace {

constexpr std::int64_t kPercent = 100;

// The result of a removal; null if it was not tried yet.
const ImageRemoval* outcome_of(const std::vector<ImageRemoval>& done, const std::string& id) {
  const auto found = std::ranges::find(done, id, &ImageRemoval::id);
  return found == done.end() ? nullptr : &*found;
}

// Least recently used first, then the longest present one.
std::vector<KnownImage> removable(const std::vector<KnownImage>& images) {
  std::vector<KnownImage> out;
  for (const KnownImage& image : images)
    if (!image.in_use && !image.pinned) out.push_back(image);
  std::ranges::stable_sort(out, [](const KnownImage& a, const KnownImage& b) {
    return std::pair(a.last_used, a.first_detected) < std::pair(b.last_used, b.first_detected);
  });
  return out;
}

std::string joined(const std::vector<std::string>& errors) {
  return errors.size() == 1 ? errors.front() : fmt::format("[{}]", fmt::join(errors, ", "));
}

// Removes images unused for longer than the maximum age; `images` keeps the rest.
std::optional<ImageGcStep> expire(const ImageGcInput& input, const std::vector<ImageRemoval>& done,
                                  std::vector<KnownImage>& images) {
  const Nanoseconds max_age = input.policy.max_age;
  if (max_age <= Nanoseconds::zero() || input.uptime <= max_age) return std::nullopt;
  const std::string age = api::Duration{max_age}.to_string();
  std::vector<std::string> errors;
  std::vector<KnownImage> left;
  ImageGcStep step;
  for (KnownImage& image : images) {
    if (image.last_used && input.now - *image.last_used <= max_age) {
      left.push_back(std::move(image));
      continue;
    }
    const ImageRemoval* outcome = outcome_of(done, image.id);
    if (outcome == nullptr) {
      step.remove = std::move(image);
      step.reason = ImageGcReason::kAge;
      step.why = fmt::format("unused for longer than {} (imageMaximumGCAge)", age);
      return step;
    }
    if (!outcome->error.empty()) errors.push_back(outcome->error);
  }
  images = std::move(left);
  if (errors.empty()) return std::nullopt;
  step.failure = {.message = fmt::format("wanted to free images older than {}, encountered errors "
                                         "in image deletion: {}",
                                         age, joined(errors))};
  return step;
}

ImageGcStep make_room(const ImageGcInput& input, const std::vector<ImageRemoval>& done,
                      std::vector<KnownImage> images, std::int64_t wanted, const std::string& why) {
  ImageGcStep step;
  std::vector<std::string> errors;
  for (KnownImage& image : images) {
    if (input.now - image.first_detected < input.policy.min_age) continue;
    const ImageRemoval* outcome = outcome_of(done, image.id);
    if (outcome == nullptr) {
      step.remove = std::move(image);
      step.why = why;
      return step;
    }
    if (!outcome->error.empty()) {
      errors.push_back(outcome->error);
      continue;  // the kubelet checks only after a removal whether that suffices
    }
    step.freed += image.bytes;
    if (step.freed >= wanted) break;
  }
  if (!errors.empty()) {
    step.failure = {.message =
                        fmt::format("wanted to free {} bytes, but freed {} bytes space with errors "
                                    "in image deletion: {}",
                                    wanted, step.freed, joined(errors))};
  } else if (input.cause == ImageGcCause::kPeriodic && step.freed < wanted) {
    step.failure = {
        .event = "FreeDiskSpaceFailed",
        .message = fmt::format("Failed to garbage collect required amount of images. Attempted to "
                               "free {} bytes, but only found {} bytes eligible to free.",
                               wanted, step.freed)};
  }
  return step;
}

}  // namespace

bool image_gc_disabled(const ImageGcPolicy& policy) {
  return policy.high_percent >= kPercent && policy.max_age <= Nanoseconds::zero();
}

std::string full_image_name(const std::string& reference) {
  const auto parts = api::parse_image_reference(reference);
  if (!parts) return reference;
  if (!parts->digest.empty()) return parts->name + "@" + parts->digest;
  return parts->name + ":" + (parts->tag.empty() ? "latest" : parts->tag);
}

KnownImages detect_images(const KnownImages& known, const std::vector<cri::Image>& listed,
                          const std::set<std::string>& used, SteadyTime now) {
  KnownImages found;
  for (const cri::Image& image : listed) {
    const auto before = known.find(image.id);
    KnownImage record = before == known.end() ? KnownImage{.first_detected = now} : before->second;
    record.id = image.id;
    record.bytes = static_cast<std::int64_t>(image.size);
    record.pinned = image.pinned;
    record.in_use = used.contains(image.id);
    record.names = image.repo_tags;
    record.names.insert(record.names.end(), image.repo_digests.begin(), image.repo_digests.end());
    for (const std::string& name : record.names)
      record.in_use = record.in_use || used.contains(name);
    if (record.in_use) record.last_used = now;
    found[image.id] = std::move(record);
  }
  return found;
}

std::string_view to_string(ImageGcReason reason) {
  return reason == ImageGcReason::kAge ? "age" : "space";
}

ImageGcStep next_image_gc_step(const ImageGcInput& input, const std::vector<ImageRemoval>& done) {
  std::vector<KnownImage> images = removable(input.images);
  if (input.cause == ImageGcCause::kDiskPressure) {
    return make_room(input, done, std::move(images), std::numeric_limits<std::int64_t>::max(),
                     "unused, and the disk is under pressure");
  }
  auto expired = expire(input, done, images);
  if (expired) return *std::move(expired);
  const std::int64_t capacity = input.file_system.capacity;
  if (capacity <= 0) {
    return {.failure = ImageGcFailure{.event = "InvalidDiskCapacity",
                                      .message = "invalid capacity 0 on image filesystem"}};
  }
  const std::int64_t available = std::min(input.file_system.available, capacity);
  const std::int64_t usage = kPercent - available * kPercent / capacity;
  if (usage < input.policy.high_percent) return {};
  const std::int64_t wanted =
      capacity * (kPercent - input.policy.low_percent) / kPercent - available;
  return make_room(input, done, std::move(images), wanted,
                   fmt::format("unused, and the images' file system is {} % full "
                               "(imageGCHighThresholdPercent {})",
                               usage, input.policy.high_percent));
}

}  // namespace berth::node
