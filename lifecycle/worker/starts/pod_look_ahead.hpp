// SPDX-License-Identifier: Apache-2.0

// Prepares what the first start of each container will need while the runtime is busy with another
// part of the pod, so that nothing has to be waited for between its calls.
//
// The results are only hints: what is missing when a container's turn comes is obtained then, and
// what proves wrong (an image that was removed meanwhile) is looked up again. Loop thread only; the
// parts outlive it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include <boost/asio/awaitable.hpp>

#include "base/result.hpp"
#include "lifecycle/pod_events.hpp"
#include "lifecycle/worker/starts/found_images.hpp"
#include "node/container/container_files.hpp"

namespace berth {

class Notification;
class TaskGroup;

}  // namespace berth

namespace berth::lifecycle {

class ContainerStarts;
class ObservedPod;
class PodFacts;
struct PodEnvironment;
struct PodParts;

class PodLookAhead {
 public:
  PodLookAhead(PodParts& parts, const PodFacts& facts);

  void begin_look_ahead();
  // An image that was looked up ahead for a first start.
  [[nodiscard]] std::optional<ImageFound> image_seen(const std::string& name);
  // `but`: the container whose turn it is, which has its files.
  void begin_files_ahead(const std::string& but);
  // The files of one instance of a container.
  [[nodiscard]] boost::asio::awaitable<Result<node::ContainerFiles>> files_of(
      std::string name, std::uint32_t attempt);
  // Waits for files that are being made.
  [[nodiscard]] boost::asio::awaitable<void> files_settled();

 private:
  [[nodiscard]] std::vector<std::string> never_started() const;
  boost::asio::awaitable<void> look_ahead();
  boost::asio::awaitable<void> look_for_image(std::string name);
  boost::asio::awaitable<void> make_files_ahead(std::vector<std::string> names);

  const PodEnvironment& env_;
  const PodPtr& pod_;
  TaskGroup& children_;
  const ObservedPod& observed_;
  ContainerStarts& starts_;
  Notification& files_bell_;
  const PodFacts& facts_;
};

}  // namespace berth::lifecycle
