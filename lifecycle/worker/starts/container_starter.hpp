// SPDX-License-Identifier: Apache-2.0

// Starts one container: creates it in the ready sandbox, starts it and links its log.
//
// If the outcome of a create or start is unknown, the runtime's state is read: what exists is
// adopted, and otherwise the same attempt is made again. Loop thread only; the parts outlive it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include <boost/asio/awaitable.hpp>

#include "base/result.hpp"
#include "cri/types.hpp"
#include "lifecycle/pod_events.hpp"
#include "lifecycle/worker/starts/found_images.hpp"

namespace berth::lifecycle {

class ContainerImages;
class ContainerStarts;
class ObservedPod;
class PodFacts;
class PodHooks;
class PodLookAhead;
class PodMailbox;
class PodObservation;
class PodPersistence;
class PodRemoval;
class PodReport;
class PodTeller;
class PodVolumes;
class Timetable;
struct PodEnvironment;
struct PodParts;

// kWaiting: for its image.
enum class StartOutcome : std::uint8_t { kStarted, kWaiting, kNotStarted };

class ContainerStarter {
 public:
  ContainerStarter(PodParts& parts, const PodFacts& facts, PodPersistence& persistence,
                   PodReport& report, PodObservation& observation, PodHooks& hooks,
                   PodRemoval& removal, PodLookAhead& ahead, PodVolumes& volumes,
                   ContainerImages& images);

  [[nodiscard]] boost::asio::awaitable<StartOutcome> start(std::string name);

 private:
  boost::asio::awaitable<std::optional<std::uint32_t>> restart_count(std::string name);
  boost::asio::awaitable<std::optional<std::string>> create(std::string name, ImageFound image);
  [[nodiscard]] cri::ContainerStatus created_status(const cri::ContainerConfig& config,
                                                    const std::string& log_directory) const;
  boost::asio::awaitable<bool> start_created(std::string name, std::string id);
  boost::asio::awaitable<void> started(std::string name, std::string id);
  void start_failed(const std::string& name, std::string_view reason, const Error& error);

  const PodEnvironment& env_;
  const PodPtr& pod_;
  PodTeller& teller_;
  const PodMailbox& mailbox_;
  Timetable& timetable_;
  ObservedPod& observed_;
  ContainerStarts& starts_;
  const PodFacts& facts_;
  PodPersistence& persistence_;
  PodReport& report_;
  PodObservation& observation_;
  PodHooks& hooks_;
  PodRemoval& removal_;
  PodLookAhead& ahead_;
  PodVolumes& volumes_;
  ContainerImages& images_;
};

}  // namespace berth::lifecycle
