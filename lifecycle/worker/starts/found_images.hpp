// SPDX-License-Identifier: Apache-2.0

// Images that a worker has found for the containers of its pod, so that none is looked up twice.
//
// An image found for a start is kept for its retries, until the container is created; images looked
// up ahead, while a sandbox was being created, are for the first instances in it. A create may fail
// because an image has disappeared, so from then on the image is doubted: it is looked up by its id
// before it is used. To notice that somebody has fixed a failing create by pushing another image
// under the same name, everything is looked up again from time to time, by the pull policy: first
// after 10 s, then doubling to 300 s, like failed pulls. A plain value.
#pragma once

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>

#include "base/clock_types.hpp"
#include "cri/types.hpp"

namespace berth::lifecycle {

struct ImageFound {
  std::string reference{};
  cri::Image status{};
};

enum class KeptStanding : std::uint8_t {
  kNone,     // to be looked up
  kGood,     // as it was found
  kDoubted,  // to be looked up by its id
};

struct KeptImage {
  KeptStanding standing = KeptStanding::kNone;
  ImageFound found{};
};

class FoundImages {
 public:
  static constexpr Nanoseconds kFirstWindow = std::chrono::seconds{10};
  static constexpr Nanoseconds kLongestWindow = std::chrono::seconds{300};

  // Keeps the image for that container's start, under the name that its spec gives.
  void keep(const std::string& container, std::string image, ImageFound found, SteadyTime now) {
    Kept& kept = kept_[container];
    const bool again = kept.image == image && kept.doubted;
    const Nanoseconds window = again ? std::min(kept.window * 2, kLongestWindow) : kFirstWindow;
    kept = {.image = std::move(image),
            .found = std::move(found),
            .window = window,
            .until = now + window};
  }
  [[nodiscard]] KeptImage kept(const std::string& container, const std::string& image,
                               SteadyTime now) const {
    const auto entry = kept_.find(container);
    if (entry == kept_.end() || entry->second.image != image) return {};
    const Kept& kept = entry->second;
    if (kept.doubted && now >= kept.until) return {};
    return {.standing = kept.doubted ? KeptStanding::kDoubted : KeptStanding::kGood,
            .found = kept.found};
  }

  // Records an image that was looked up ahead, by name.
  void see(std::string image, ImageFound found) {
    seen_.insert_or_assign(std::move(image), std::move(found));
  }
  [[nodiscard]] std::optional<ImageFound> seen(const std::string& image) const {
    const auto found = seen_.find(image);
    if (found == seen_.end()) return std::nullopt;
    return found->second;
  }
  void forget_seen() { seen_.clear(); }

  void created(const std::string& container) { kept_.erase(container); }
  void create_failed(const std::string& container) {
    if (const auto entry = kept_.find(container); entry != kept_.end()) {
      entry->second.doubted = true;
    }
    seen_.clear();
  }

 private:
  struct Kept {
    std::string image{};
    ImageFound found{};
    Nanoseconds window{};
    SteadyTime until{};
    bool doubted = false;
  };

  std::map<std::string, Kept> kept_{};        // by container name
  std::map<std::string, ImageFound> seen_{};  // by image
};

}  // namespace berth::lifecycle
