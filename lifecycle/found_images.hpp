// Images that a worker has found for the containers of its pod, so that none is looked for twice.
//
// What was found for a start is kept for its retries, until the container is created; what was
// looked for ahead, while a sandbox was made, is for the first instances in it. A create that fails
// may fail for want of an image that was there: then everything is looked for again. A plain value.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <utility>

#include "cri/types.hpp"

namespace berth::lifecycle {

struct ImageFound {
  std::string reference{};
  cri::Image status{};
};

class FoundImages {
 public:
  // For that container's start, by the image that its spec names.
  void keep(const std::string& container, std::string image, ImageFound found) {
    kept_.insert_or_assign(container, std::pair(std::move(image), std::move(found)));
  }
  [[nodiscard]] std::optional<ImageFound> kept(const std::string& container,
                                               const std::string& image) const {
    const auto found = kept_.find(container);
    if (found == kept_.end() || found->second.first != image) return std::nullopt;
    return found->second.second;
  }

  // Ahead of its turn, by image.
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
    kept_.erase(container);
    seen_.clear();
  }

 private:
  std::map<std::string, std::pair<std::string, ImageFound>> kept_{};  // by container name
  std::map<std::string, ImageFound> seen_{};                          // by image
};

}  // namespace berth::lifecycle
