// SPDX-License-Identifier: Apache-2.0

#include "lifecycle/worker/starts/container_starter.hpp"

#include <algorithm>
#include <utility>

#include <fmt/core.h>

#include "base/rpc_error.hpp"
#include "lifecycle/container_identity.hpp"
#include "lifecycle/in_hand.hpp"
#include "lifecycle/worker/pod_facts.hpp"
#include "lifecycle/worker/pod_hooks.hpp"
#include "lifecycle/worker/pod_identity.hpp"
#include "lifecycle/worker/pod_parts.hpp"
#include "lifecycle/worker/pod_persistence.hpp"
#include "lifecycle/worker/pod_report.hpp"
#include "lifecycle/worker/pod_volumes.hpp"
#include "lifecycle/worker/runtime/pod_observation.hpp"
#include "lifecycle/worker/runtime/pod_removal.hpp"
#include "lifecycle/worker/starts/container_images.hpp"
#include "lifecycle/worker/starts/next_start.hpp"
#include "lifecycle/worker/starts/pod_look_ahead.hpp"
#include "lifecycle/worker/starts/start_calls.hpp"
#include "node/container/container_config.hpp"
#include "node/sandbox_config.hpp"

namespace berth::lifecycle {

namespace {

// The status as far as the response to StartContainer determines it.
cri::ContainerStatus running_since(WallTime answered, cri::ContainerStatus created) {
  created.state = cri::ContainerState::kRunning;
  created.started_at = cri::unix_nanoseconds(answered);
  return created;
}

}  // namespace

ContainerStarter::ContainerStarter(PodParts& parts, const PodFacts& facts,
                                   PodPersistence& persistence, PodReport& report,
                                   PodObservation& observation, PodHooks& hooks,
                                   PodRemoval& removal, PodLookAhead& ahead, PodVolumes& volumes,
                                   ContainerImages& images)
    : env_(parts.env),
      pod_(parts.pod),
      teller_(parts.teller),
      mailbox_(parts.mailbox),
      timetable_(parts.timetable),
      observed_(parts.observed),
      starts_(parts.starts),
      facts_(facts),
      persistence_(persistence),
      report_(report),
      observation_(observation),
      hooks_(hooks),
      removal_(removal),
      ahead_(ahead),
      volumes_(volumes),
      images_(images) {}

boost::asio::awaitable<StartOutcome> ContainerStarter::start(std::string name) {
  const cri::PodSandboxStatus* sandbox = facts_.ready_sandbox();
  const ObservedContainer* newest = observed_.newest(name);
  if (sandbox == nullptr || facts_.container_spec(name) == nullptr)
    co_return StartOutcome::kNotStarted;
  std::optional<std::string> id;
  if (newest != nullptr && starts_as_created({newest->status, newest->sandbox}, sandbox->id,
                                             *facts_.container_spec(name))) {
    id = newest->status.id.str();
  } else {
    auto image = co_await images_.ready_image(name);
    if (!image) {
      // The next decision takes the failed pull into account: other containers that want the image
      // wait as well.
      const api::Container* spec = facts_.container_spec(name);
      const bool failed_now = spec != nullptr && spec->imagePullPolicy != "Never" &&
                              starts_.in_pull_backoff(spec->image, env_.clock.wall_now());
      const bool waits = failed_now || starts_.pull(name) != nullptr;
      co_return waits ? StartOutcome::kWaiting : StartOutcome::kNotStarted;
    }
    if (mailbox_.orders().end) co_return StartOutcome::kNotStarted;
    id = co_await create(name, std::move(*image));
  }
  // If the end was ordered meanwhile, the container is no longer started.
  if (!id || mailbox_.orders().end) co_return StartOutcome::kNotStarted;
  const bool alone = co_await removal_.remove_created_beside(*id);
  if (!alone || mailbox_.orders().end) co_return StartOutcome::kNotStarted;
  const bool moved = co_await start_created(name, std::move(*id));
  co_return moved ? StartOutcome::kStarted : StartOutcome::kNotStarted;
}

// The newest instance's count plus one; if no record is left, derived from the log files. A create
// whose outcome is unknown keeps its number, and no number is ever reused.
boost::asio::awaitable<std::optional<std::uint32_t>> ContainerStarter::restart_count(
    std::string name) {
  if (const auto next = starts_.next_attempt(name)) co_return next;
  auto logged = co_await env_.host.last_logged_attempt(pod_, name);
  if (!logged) {
    start_failed(name, kCreateContainerConfigError, logged.error());
    co_return std::nullopt;
  }
  starts_.attempt_logged(name, *logged);
  co_return starts_.next_attempt(name);
}

// The id of the created container; unset if it failed: the reason is recorded.
boost::asio::awaitable<std::optional<std::string>> ContainerStarter::create(std::string name,
                                                                            ImageFound image) {
  const PodPtr pod = pod_;
  const auto attempt = co_await restart_count(name);
  if (!attempt) co_return std::nullopt;
  const auto files = co_await ahead_.files_of(name, *attempt);
  if (!files) {
    start_failed(name, kCreateContainerConfigError, files.error());
    co_return std::nullopt;
  }
  auto sub_paths = co_await volumes_.mount_sub_paths(name);
  if (!sub_paths) start_failed(name, kCreateContainerConfigError, sub_paths.error());
  const cri::PodSandboxStatus* sandbox = facts_.ready_sandbox();
  const api::Container* spec = facts_.container_spec(name);
  if (!sub_paths || sandbox == nullptr || spec == nullptr) co_return std::nullopt;
  const cri::SandboxId sandbox_id = sandbox->id;
  Handling handling(env_.in_hand, handled_as(*pod));
  const node::SandboxRequest sandbox_request{.attempt = sandbox->metadata.attempt,
                                             .incarnation = incarnation_of(*pod)};
  auto sandbox_config = node::sandbox_config(*env_.now.view, *pod, sandbox_request);
  node::ContainerRequest request{
      .restart_count = *attempt,
      .hash = kubelet_container_hash_text(name, spec->image),
      .image_ref = image.reference,
      .image = std::move(image.status),
      .files = *files,
      .sub_paths = std::move(*sub_paths),
      .recursive_read_only = volumes_.recursive_read_only(),
      .sources = volumes_.environment_sources(),
  };
  auto config = node::container_config(*env_.now.view, *pod, *spec, request);
  if (!sandbox_config || !config) {
    const Error& error = sandbox_config ? config.error() : sandbox_config.error();
    start_failed(name, kCreateContainerConfigError, error);
    co_return std::nullopt;
  }
  cri::ContainerStatus status = created_status(*config, files->log_directory);
  handling.put_down();
  ahead_.begin_files_ahead(name);
  Context context;
  const auto call = co_await env_.shared.start_calls.begin();
  auto id = co_await env_.runtime.create_container(context, sandbox_id, std::move(*config),
                                                   std::move(*sandbox_config));
  if (!id) {
    if (!outcome_known(id.error().code)) observed_.doubt();
    // The image may have disappeared since it was looked up.
    starts_.images().create_failed(name);
    start_failed(name, kCreateContainerError, id.error());
    co_return std::nullopt;
  }
  starts_.created(name, *attempt);
  status.id = *id;
  observed_.put_container(sandbox_id.str(), std::move(status));
  env_.owner.claim(pod_->metadata.uid, id->str());
  teller_.event(EventLevel::kNormal, "Created", fmt::format("Created container: {}", name),
                About{.container = name, .container_id = id->str()});
  co_return id->str();
}

// The status that the runtime will report for a container that was just created, as far as it is
// known; the runtime's own status replaces it after the start.
cri::ContainerStatus ContainerStarter::created_status(const cri::ContainerConfig& config,
                                                      const std::string& log_directory) const {
  cri::ContainerStatus status;
  status.metadata = config.metadata;
  status.state = cri::ContainerState::kCreated;
  status.created_at = cri::unix_nanoseconds(env_.clock.wall_now());
  for (const auto& [id, container] : observed_.containers())
    status.created_at = std::max(status.created_at, container.status.created_at + 1);
  status.image = config.image.image;
  status.image_ref = config.image.image;
  status.labels = config.labels;
  status.annotations = config.annotations;
  status.mounts = config.mounts;
  if (!config.log_path.empty()) {
    const std::string file = fmt::format("{}.log", config.metadata.attempt);
    status.log_path = fmt::format("{}/{}", log_directory, file);
  }
  return status;
}

// True if the container ran (and perhaps ended) or failed for good; false if it has to be read or
// tried again.
boost::asio::awaitable<bool> ContainerStarter::start_created(std::string name, std::string id) {
  const api::Container* spec = facts_.container_spec(name);
  const std::optional<PendingStart> earlier = starts_.pending(name, id);
  starts_.begin_start(name, {.id = id,
                             .identity = restart_identity(*pod_, *spec),
                             .last_exit = exit_before_start(facts_.runtime_view(), name),
                             .at = env_.clock.wall_now()});
  // A restart costs backoff even if berthd ends meanwhile, so it must be stored first; a first
  // start waits for nothing.
  const bool stored = co_await persistence_.remembered();
  if (!stored || mailbox_.orders().end) {
    // This call is not made, so nobody has to wait for its effect; an earlier call may have been
    // made.
    starts_.call_off_start(name, earlier);
    co_return false;
  }
  Context context;
  const auto call = co_await env_.shared.start_calls.begin();
  auto result = co_await env_.runtime.start_container(context, cri::ContainerId(id));
  const WallTime answered = env_.clock.wall_now();
  auto status = co_await env_.runtime.container_status(context, cri::ContainerId(id));
  const ObservedContainer* known = observed_.container(id);
  if (!status) {
    // The container could not be read, so everything is read anew; the response remains valid.
    observed_.doubt();
    if (!result) start_failed(name, kRunContainerError, result.error());
    if (!result || known == nullptr) co_return false;
    status = running_since(answered, known->status);
  }
  const cri::ContainerState state = status->state;
  auto complete = co_await observation_.with_termination_message(std::move(*status));
  known = observed_.container(id);
  if (known == nullptr) co_return false;
  const std::string sandbox = known->sandbox;
  observed_.put_container(sandbox, std::move(complete));
  observation_.settle_pending_starts();
  if (result || state == cri::ContainerState::kRunning) {
    co_await started(name, id);
    // The container ended before the response arrived: nobody polls for its end any more.
    known = observed_.container(id);
    if (known != nullptr && known->status.state == cri::ContainerState::kExited &&
        !known->provisional)
      observation_.report_exit(known->status, false);
    co_return observed_.known();
  }
  start_failed(name, kRunContainerError, result.error());
  // The start was refused, so the container will not run, and an end of the pod need not wait for
  // it.
  if (state == cri::ContainerState::kCreated && !earlier && outcome_known(result.error().code))
    starts_.call_off_start(name);
  if (state != cri::ContainerState::kExited) co_return false;
  // This counts as a run that ended: from here on the restart backoff decides.
  timetable_.succeeded("container/" + name);
  co_return true;
}

boost::asio::awaitable<void> ContainerStarter::started(std::string name, std::string id) {
  const ObservedContainer* fresh = observed_.container(id);
  const bool hooked = hooks_.has_post_start(name) && fresh != nullptr &&
                      fresh->status.state == cri::ContainerState::kRunning;
  starts_.started(name, id, hooked);
  timetable_.succeeded("container/" + name);
  report_.refresh();
  if (const ObservedContainer* container = observed_.container(id)) {
    const std::string log_path = container->status.log_path;
    auto linked = co_await env_.host.link_container_log(pod_, name, cri::ContainerId(id), log_path);
    if (!linked) teller_.log(LogLevel::kWarn, "LogLink", linked.error().message, name);
  }
  // Watchers were notified first, by `refresh`.
  const std::string record = teller_.happened("Started", name, "it runs");
  teller_.event(EventLevel::kNormal, "Started", fmt::format("Started container {}", name),
                About{.container = name, .container_id = id, .decision = record});
  if (hooked) hooks_.begin_post_start(name, id);
}

// The status and the event have only the description, as the kubelet's do; `why` also shows the
// call.
void ContainerStarter::start_failed(const std::string& name, std::string_view reason,
                                    const Error& error) {
  const std::string message(rpc_description(error.message));
  starts_.failed(name, reason, message);
  timetable_.failed("container/" + name, pace_after(error.code));
  const std::string record =
      teller_.happened(name, StartFailed{.reason = std::string(reason), .error = error.message});
  teller_.warn_event("Failed", fmt::format("Error: {}", message),
                     About{.container = name, .decision = record, .reason = std::string(reason)});
}

}  // namespace berth::lifecycle
