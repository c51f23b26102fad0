// SPDX-License-Identifier: Apache-2.0

// The pod's volumes, environment and credentials: everything that ConfigMaps and Secrets affect.
//
// Volumes that show them are written again when one changes, and no container is touched; whatever
// could not begin without one is retried at once. Their values are passed on and kept nowhere. Loop
// thread only; the parts outlive it.
#pragma once

#include <string>
#include <vector>

#include <boost/asio/awaitable.hpp>

#include "base/result.hpp"
#include "cri/types.hpp"
#include "lifecycle/pod_events.hpp"
#include "node/container/container_files.hpp"
#include "node/container/environment.hpp"

namespace berth::lifecycle {

class ObservedPod;
class PodCourse;
class PodFacts;
class PodSetup;
class PodTeller;
class Timetable;
struct PodEnvironment;
struct PodParts;

class PodVolumes {
 public:
  PodVolumes(PodParts& parts, const PodFacts& facts);

  // A ConfigMap or Secret of the pod has changed. A pod that ends keeps what it has.
  void objects_changed();
  // No container may be created before the runtime has answered: its mounts depend on that.
  boost::asio::awaitable<void> ask_for_recursive_read_only();
  [[nodiscard]] bool knows_recursive_read_only() const;
  [[nodiscard]] node::EnvironmentSources environment_sources() const;
  // The mounted subPaths of a container; empty if the pod has no such container.
  [[nodiscard]] boost::asio::awaitable<Result<node::SubPaths>> mount_sub_paths(std::string name);
  // An error if a secret cannot be read, which fails the pull.
  [[nodiscard]] Result<std::vector<cri::AuthConfig>> pull_credentials(const std::string& image);
  // Reports imagePullSecrets that do not exist, whether anything is pulled or not; again only when
  // others are missing.
  void report_missing_secrets();
  [[nodiscard]] bool recursive_read_only() const;
  [[nodiscard]] boost::asio::awaitable<void> refresh_volumes();

 private:
  const PodEnvironment& env_;
  const PodPtr& pod_;
  PodTeller& teller_;
  const PodCourse& course_;
  Timetable& timetable_;
  const ObservedPod& observed_;
  PodSetup& setup_;
  const PodFacts& facts_;
  std::vector<std::string> missing_secrets_{};  // as reported
};

}  // namespace berth::lifecycle
