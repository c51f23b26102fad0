// What each recorded decision is taken from: as references where it is recorded, as values where
// it is taken again.
//
// PlanInput is in plan.hpp, PhaseQuestion in phase.hpp, GraceQuestion in grace_period.hpp. The
// values own everything, so that they can be read back from a record (record_codec.hpp). Plain
// values.
#pragma once

#include <optional>
#include <set>
#include <string>
#include <vector>

#include "api/node.hpp"
#include "api/pod.hpp"
#include "base/clock_types.hpp"
#include "lifecycle/deletion_period.hpp"
#include "lifecycle/grace_period.hpp"
#include "lifecycle/image_decision.hpp"
#include "lifecycle/lost_containers.hpp"
#include "lifecycle/mailbox.hpp"
#include "lifecycle/phase.hpp"
#include "lifecycle/plan.hpp"
#include "lifecycle/pod_gc.hpp"
#include "lifecycle/pre_stop_step.hpp"
#include "lifecycle/termination_order.hpp"
#include "node/admission.hpp"
#include "node/node_config.hpp"

namespace berth::lifecycle {

struct PlanValues {
  api::Pod pod{};
  RuntimePod runtime{};
  ProbeResults probes{};
  ActuatedResources actuated{};
  RestartBackoff restarts{};
  ImagePullBackoff pulls{};
  std::set<std::string> present_images{};
  std::optional<api::Time> start_time{};
  WallTime now{};
  RestartBackoffPolicy restart_policy{};
  ImagePullBackoffPolicy pull_policy{};
  FeatureOptions options{};

  // Refers to this object.
  [[nodiscard]] PlanInput view() const {
    return {.pod = pod,
            .runtime = runtime,
            .probes = probes,
            .actuated = actuated,
            .restarts = restarts,
            .pulls = pulls,
            .present_images = present_images,
            .start_time = start_time,
            .now = now,
            .restart_policy = restart_policy,
            .pull_policy = pull_policy,
            .options = options};
  }
};

// Of next_stops.
struct StopsInput {
  const api::Pod& pod;
  const std::vector<StoppingContainer>& containers;
  SteadyTime now{};
};

struct StopsValues {
  api::Pod pod{};
  std::vector<StoppingContainer> containers{};
  SteadyTime now{};
};

// Of node::admit_pod.
struct AdmissionInput {
  const node::NodeConfig& config;
  const node::HostConfinement& host;
  const api::Node& node;
  const std::vector<const api::Pod*>& active;  // without the pod itself
  const api::Pod& pod;
};

struct AdmissionValues {
  node::NodeConfig config{};
  node::HostConfinement host{};
  api::Node node{};                // without its list of images
  std::vector<api::Pod> active{};  // of each what counts against the node (counted_part)
  api::Pod pod{};
};

struct PhaseValues {
  api::Pod pod{};                                // of it what counts (phase_part)
  std::vector<api::ContainerStatus> statuses{};  // likewise
  std::set<std::string> starting_again{};
  bool pod_is_terminal = false;
  bool pod_has_initialized = false;
  FeatureOptions options{};
  std::string previous{};
  std::string known{};
  bool deadline_exceeded = false;
  bool finalised = false;
  std::string shown_before{};
  bool containers_may_run = false;

  // Refers to this object.
  [[nodiscard]] PhaseQuestion view() const {
    return {.pod = pod,
            .statuses = statuses,
            .starting_again = starting_again,
            .pod_is_terminal = pod_is_terminal,
            .pod_has_initialized = pod_has_initialized,
            .options = options,
            .previous = previous,
            .known = known,
            .deadline_exceeded = deadline_exceeded,
            .finalised = finalised,
            .shown_before = shown_before,
            .containers_may_run = containers_may_run};
  }
};

struct GraceValues {
  api::Pod pod{};  // of it what counts (grace_part)
  std::int64_t previous = 0;
  std::optional<std::int64_t> override_seconds{};
  EndCause cause = EndCause::kManifestRemoved;
  bool forced = false;
  WallTime requested_at{};

  // Refers to this object.
  [[nodiscard]] GraceQuestion view() const {
    return {.pod = pod,
            .previous = previous,
            .override_seconds = override_seconds,
            .cause = cause,
            .forced = forced,
            .requested_at = requested_at};
  }
};

struct ImageValues {
  api::Pod pod{};  // its name
  std::string container{};
  std::string image{};
  std::string policy{};
  bool present = false;

  // Refers to this object.
  [[nodiscard]] ImageQuestion view() const {
    return {
        .pod = pod, .container = container, .image = image, .policy = policy, .present = present};
  }
};

struct PreStopValues {
  api::Pod pod{};  // its name
  std::string container{};
  PreStopSituation situation{};
  SteadyTime now{};

  // Refers to this object.
  [[nodiscard]] PreStopQuestion view() const {
    return {.pod = pod, .container = container, .situation = situation, .now = now};
  }
};

struct DeletionValues {
  api::Pod pod{};  // its name
  DeletionSituation situation{};

  // Refers to this object.
  [[nodiscard]] DeletionQuestion view() const { return {.pod = pod, .situation = situation}; }
};

struct CollectionValues {
  api::Pod pod{};  // its name
  std::int64_t finished = 0;
  std::int64_t before = 0;
  std::int64_t threshold = 0;

  // Refers to this object.
  [[nodiscard]] CollectionQuestion view() const {
    return {.pod = pod, .finished = finished, .before = before, .threshold = threshold};
  }
};

struct LossValues {
  api::Pod pod{};  // of it what counts (loss_part)
  bool had_containers = false;
  bool judged = false;
  bool ending = false;

  // Refers to this object.
  [[nodiscard]] LossQuestion view() const {
    return {.pod = pod, .had_containers = had_containers, .judged = judged, .ending = ending};
  }
};

}  // namespace berth::lifecycle
