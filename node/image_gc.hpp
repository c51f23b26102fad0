// SPDX-License-Identifier: Apache-2.0

// Which images to remove, in which order, and when: the kubelet's image garbage collection.
//
// Pure. The known images are a value that is updated at every look at the runtime. A run is decided
// step by step: (input, results of the removals so far) → the next removal, or how the run ended.
// The caller removes one image and asks for the next step.
//
// An image is in use as long as any container made from it exists, including dead ones, or a pod
// that is to run refers to it. Ages count from what this process has seen: after a start no image
// is old.
#pragma once

#include <chrono>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "base/clock_types.hpp"
#include "cri/types.hpp"

namespace berth::node {

// Named after KubeletConfiguration's imageGCHighThresholdPercent, imageGCLowThresholdPercent,
// imageMinimumGCAge and imageMaximumGCAge, with its defaults.
struct ImageGcPolicy {
  std::int32_t high_percent = 85;  // file system use from which images are removed
  std::int32_t low_percent = 80;   // file system use down to which they are removed
  Nanoseconds min_age = std::chrono::minutes(2);
  Nanoseconds max_age{0};  // unused for longer: removed regardless of free space; 0: never

  bool operator==(const ImageGcPolicy&) const = default;
};

// Whether no image would ever be removed automatically.
[[nodiscard]] bool image_gc_disabled(const ImageGcPolicy& policy);

struct KnownImage {
  std::string id{};
  std::vector<std::string> names{};  // its tags, then its digests
  std::int64_t bytes = 0;
  SteadyTime first_detected{};
  std::optional<SteadyTime> last_used{};  // unset if never since this process started
  bool pinned = false;
  bool in_use = false;

  // The name to display.
  [[nodiscard]] const std::string& name() const { return names.empty() ? id : names.front(); }
  bool operator==(const KnownImage&) const = default;
};

using KnownImages = std::map<std::string, KnownImage>;  // by id

// An image's name in lists of images: with registry and tag, or with registry and digest.
[[nodiscard]] std::string full_image_name(const std::string& reference);

// The updated set of known images. `used`: ids, and names in the form of full_image_name.
[[nodiscard]] KnownImages detect_images(const KnownImages& known,
                                        const std::vector<cri::Image>& listed,
                                        const std::set<std::string>& used, SteadyTime now);

struct ImageFileSystem {
  std::int64_t capacity = 0;  // bytes
  std::int64_t available = 0;

  bool operator==(const ImageFileSystem&) const = default;
};

enum class ImageGcCause : std::uint8_t {
  kPeriodic,      // by the policy's thresholds and ages
  kDiskPressure,  // all unused ones that are not too young
};

struct ImageGcInput {
  ImageGcCause cause = ImageGcCause::kPeriodic;
  ImageGcPolicy policy{};
  ImageFileSystem file_system{};  // ignored under disk pressure
  Nanoseconds uptime{};           // of this process
  std::vector<KnownImage> images{};
  SteadyTime now{};
};

struct ImageRemoval {
  std::string id{};
  std::string error{};  // empty if the image was removed
};

// Includes the event's reason if the kubelet emits an event; the texts are the kubelet's.
struct ImageGcFailure {
  std::string event{};  // empty if there is no event
  std::string message{};

  bool operator==(const ImageGcFailure&) const = default;
};

// Why an image is removed, by the names of the kubelet's metric.
enum class ImageGcReason : std::uint8_t {
  kAge,    // imageMaximumGCAge
  kSpace,  // its file system fills up
};
[[nodiscard]] std::string_view to_string(ImageGcReason reason);

struct ImageGcStep {
  std::optional<KnownImage> remove{};  // unset if the run is over
  ImageGcReason reason = ImageGcReason::kSpace;
  std::string why{};       // the same as a clause
  std::int64_t freed = 0;  // so far, by the sizes that the runtime reports
  std::optional<ImageGcFailure> failure{};
};

[[nodiscard]] ImageGcStep next_image_gc_step(const ImageGcInput& input,
                                             const std::vector<ImageRemoval>& done);

}  // namespace berth::node
