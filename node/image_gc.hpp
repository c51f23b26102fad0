// Which images go, in which order, and when: the kubelet's image garbage collection.
//
// Pure. What is known of images is a value that every look at the runtime brings up to date;
// a run is decided step by step: (input, what became of the removals so far) → the next removal,
// or how the run ended. Whoever carries it out removes one image and asks again.
//
// An image is in use as long as any container is there that was made from it, dead ones included,
// or a pod that is to run names it. Ages count from what this process has seen: after a start
// nothing is old.
#pragma once

#include <chrono>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "base/clock_types.hpp"
#include "cri/types.hpp"

namespace berth::node {

// KubeletConfiguration's imageGCHighThresholdPercent, imageGCLowThresholdPercent,
// imageMinimumGCAge, imageMaximumGCAge, with its defaults.
struct ImageGcPolicy {
  std::int32_t high_percent = 85;  // in use of the file system: from here on images go
  std::int32_t low_percent = 80;   // and until it is down to this
  Nanoseconds min_age = std::chrono::minutes(2);
  Nanoseconds max_age{0};  // unused for longer: they go however much room there is; 0: never

  bool operator==(const ImageGcPolicy&) const = default;
};

// Nothing would ever go by itself.
[[nodiscard]] bool image_gc_disabled(const ImageGcPolicy& policy);

struct KnownImage {
  std::string id{};
  std::vector<std::string> names{};  // its tags, then its digests
  std::int64_t bytes = 0;
  SteadyTime first_detected{};
  std::optional<SteadyTime> last_used{};  // none: never, since this process began
  bool pinned = false;
  bool in_use = false;

  // For people.
  [[nodiscard]] const std::string& name() const { return names.empty() ? id : names.front(); }
  bool operator==(const KnownImage&) const = default;
};

using KnownImages = std::map<std::string, KnownImage>;  // by id

// How an image is called in lists of images: with registry and tag, or with registry and digest.
[[nodiscard]] std::string full_image_name(const std::string& reference);

// What is known now. `used`: ids, and names as full_image_name has them.
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
  kDiskPressure,  // all that are unused and not too young
};

struct ImageGcInput {
  ImageGcCause cause = ImageGcCause::kPeriodic;
  ImageGcPolicy policy{};
  ImageFileSystem file_system{};  // of no importance under disk pressure
  Nanoseconds uptime{};           // of this process
  std::vector<KnownImage> images{};
  SteadyTime now{};
};

struct ImageRemoval {
  std::string id{};
  std::string error{};  // empty: it is gone
};

// With the event's reason where the kubelet records one; its own texts.
struct ImageGcFailure {
  std::string event{};  // empty: none
  std::string message{};

  bool operator==(const ImageGcFailure&) const = default;
};

struct ImageGcStep {
  std::optional<KnownImage> remove{};  // none: the run is over
  std::string why{};                   // of the removal, a clause
  std::int64_t freed = 0;              // so far, by the sizes that the runtime reports
  std::optional<ImageGcFailure> failure{};
};

[[nodiscard]] ImageGcStep next_image_gc_step(const ImageGcInput& input,
                                             const std::vector<ImageRemoval>& done);

}  // namespace berth::node
