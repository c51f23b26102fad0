// SPDX-License-Identifier: Apache-2.0

// Gets the image of one container: looks it up, pulls it by policy, and reports in the kubelet's
// words. Loop thread only; the parts outlive it.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <boost/asio/awaitable.hpp>

#include "base/result.hpp"
#include "cri/types.hpp"
#include "lifecycle/pod_events.hpp"
#include "lifecycle/worker/starts/found_images.hpp"

namespace berth {

class TaskGroup;

}  // namespace berth

namespace berth::lifecycle {

class ContainerStarts;
class PodFacts;
class PodLookAhead;
class PodMailbox;
class PodPersistence;
class PodTeller;
class PodVolumes;
class Timetable;
struct PodEnvironment;
struct PodParts;

class ContainerImages {
 public:
  ContainerImages(PodParts& parts, const PodFacts& facts, PodPersistence& persistence,
                  PodLookAhead& ahead, PodVolumes& volumes);

  // Unset if it failed, which was reported, or while it is pulled.
  [[nodiscard]] boost::asio::awaitable<std::optional<ImageFound>> ready_image(std::string name);

 private:
  boost::asio::awaitable<std::optional<ImageFound>> find_image(std::string name);
  boost::asio::awaitable<std::optional<ImageFound>> pulled_image(std::string name);
  boost::asio::awaitable<void> pull_image(std::string name, cri::ImageSpec image,
                                          cri::PodSandboxConfig sandbox_config,
                                          std::vector<cri::AuthConfig> credentials);
  void begin_pull_in_its_turn(const std::string& name);
  void begin_pull(const std::string& name);
  void pull_failed(const std::string& name, const std::string& image, const Error& error);
  void image_unusable(const std::string& name, std::string_view reason,
                      std::string_view event_reason, const std::string& message);
  void inspect_failed(const std::string& name, const Error& error);
  void image_failed(const std::string& name, std::string_view reason, std::string_view event_reason,
                    const std::string& message);

  const PodEnvironment& env_;
  const PodPtr& pod_;
  PodTeller& teller_;
  PodMailbox& mailbox_;
  TaskGroup& children_;
  Timetable& timetable_;
  ContainerStarts& starts_;
  const PodFacts& facts_;
  PodPersistence& persistence_;
  PodLookAhead& ahead_;
  PodVolumes& volumes_;
};

}  // namespace berth::lifecycle
