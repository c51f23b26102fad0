// SPDX-License-Identifier: Apache-2.0

#include "lifecycle/worker/starts/container_images.hpp"

#include <utility>

#include <fmt/core.h>

#include "api/image_reference.hpp"
#include "api/time.hpp"
#include "base/rpc_error.hpp"
#include "lifecycle/image_decision.hpp"
#include "lifecycle/worker/pod_facts.hpp"
#include "lifecycle/worker/pod_identity.hpp"
#include "lifecycle/worker/pod_parts.hpp"
#include "lifecycle/worker/pod_persistence.hpp"
#include "lifecycle/worker/pod_volumes.hpp"
#include "lifecycle/worker/starts/image_puller.hpp"
#include "lifecycle/worker/starts/pod_look_ahead.hpp"
#include "node/sandbox_config.hpp"

namespace berth::lifecycle {

namespace {

std::string to_milliseconds(Nanoseconds duration) {
  const api::Duration whole{std::chrono::floor<std::chrono::milliseconds>(duration)};
  return whole.to_string();
}

}  // namespace

ContainerImages::ContainerImages(PodParts& parts, const PodFacts& facts,
                                 PodPersistence& persistence, PodLookAhead& ahead,
                                 PodVolumes& volumes)
    : env_(parts.env),
      pod_(parts.pod),
      teller_(parts.teller),
      mailbox_(parts.mailbox),
      children_(parts.children),
      timetable_(parts.timetable),
      starts_(parts.starts),
      facts_(facts),
      persistence_(persistence),
      ahead_(ahead),
      volumes_(volumes) {}

// An image that was found for this start is not looked up again when the start is retried; after a
// failed create it is only looked up by its id, whatever the policy, until its window is over.
boost::asio::awaitable<std::optional<ImageFound>> ContainerImages::ready_image(std::string name) {
  const std::string wanted = facts_.container_spec(name)->image;
  const KeptImage kept = starts_.images().kept(name, wanted, env_.clock.steady_now());
  if (kept.standing == KeptStanding::kGood) co_return kept.found;
  if (kept.standing == KeptStanding::kDoubted) {
    cri::ImageSpec image;
    image.image = kept.found.reference;
    Context context;
    auto status = co_await env_.images.image_status(context, image);
    if (status) {
      ImageFound found;
      found.reference = kept.found.reference;
      found.status = std::move(*status);
      co_return found;
    }
  }
  auto found = co_await find_image(name);
  if (found) starts_.images().keep(name, wanted, *found, env_.clock.steady_now());
  co_return found;
}

// Unset if it failed (the reason is recorded), or while a pull is under way (`starts_` has it).
boost::asio::awaitable<std::optional<ImageFound>> ContainerImages::find_image(std::string name) {
  const std::string wanted = facts_.container_spec(name)->image;
  const std::string policy = facts_.container_spec(name)->imagePullPolicy;
  if (const ImagePull* pull = starts_.pull(name)) {
    if (!pull->outcome) co_return std::nullopt;
    if (pull->image == wanted) co_return co_await pulled_image(name);
    starts_.forget_pull(name);  // its image was replaced by an edit
  }
  if (const auto named = api::parse_image_reference(wanted); !named) {
    // Only an edit helps; the retry is for an edit in place.
    image_failed(name, kInvalidImageName, "InspectFailed",
                 fmt::format("Failed to apply default image tag \"{0}\": couldn't parse image name "
                             "\"{0}\": {1}",
                             wanted, named.error()));
    timetable_.failed("container/" + name, kRefusal);
    co_return std::nullopt;
  }
  bool present = false;
  ImageFound found;
  if (auto seen = ahead_.image_seen(name); seen && asks_presence(policy)) {
    present = true;
    found = std::move(*seen);
  } else if (asks_presence(policy)) {
    const cri::ImageSpec image{.image = api::with_default_tag(wanted)};
    Context context;
    auto status = co_await env_.images.image_status(context, image);
    present = status.has_value();
    if (status) {
      found.reference = status->id;
      found.status = std::move(*status);
    } else if (status.error().code != ErrorCode::kNotFound) {
      inspect_failed(name, status.error());
      co_return std::nullopt;
    }
  }
  const ImageQuestion question{
      .pod = *pod_, .container = name, .image = wanted, .policy = policy, .present = present};
  const ImageDecision decision = decide_image(question);
  const std::string record = teller_.ledger().decided(question, decision, env_.clock.wall_now());
  switch (decision.pull) {
    case PullDecision::kUsePresent:
      starts_.image_present(wanted);
      teller_.event(EventLevel::kNormal, "Pulled",
                    fmt::format("Container image \"{}\" already present on machine", wanted),
                    About{.container = name, .decision = record});
      co_return found;
    case PullDecision::kRefuse:
      image_unusable(name, kErrImageNeverPull, kErrImageNeverPull,
                     image_reason(question, decision).text);
      timetable_.failed("container/" + name, kRefusal);
      co_return std::nullopt;
    case PullDecision::kPull:
      starts_.image_absent(wanted);
      begin_pull_in_its_turn(name);
      break;
  }
  co_return std::nullopt;
}

// Does nothing while another container pulls the same image. A pull of it that has failed meanwhile
// counts first, so that its backoff applies.
void ContainerImages::begin_pull_in_its_turn(const std::string& name) {
  const std::string& wanted = facts_.container_spec(name)->image;
  if (starts_.is_pulling(wanted)) return;
  starts_.count_failed_pulls(wanted);
  // The next plan takes it into account.
  if (starts_.in_pull_backoff(wanted, env_.clock.wall_now())) return mailbox_.ring();
  begin_pull(name);
}

void ContainerImages::begin_pull(const std::string& name) {
  const std::string& wanted = facts_.container_spec(name)->image;
  const cri::PodSandboxStatus* sandbox = facts_.ready_sandbox();
  cri::PodSandboxConfig config;
  if (sandbox != nullptr) {
    auto built = node::sandbox_config(
        *env_.now.view, *pod_,
        {.attempt = sandbox->metadata.attempt, .incarnation = incarnation_of(*pod_)});
    if (built) config = std::move(*built);
  }
  cri::ImageSpec image;
  image.image = api::with_default_tag(wanted);
  image.annotations = pod_->metadata.annotations;
  image.user_specified_image = wanted;
  teller_.event(EventLevel::kNormal, "Pulling", fmt::format("Pulling image \"{}\"", wanted), name);
  auto credentials = volumes_.pull_credentials(wanted);
  if (!credentials) {
    starts_.count_pull_failure(wanted, credentials.error(), env_.clock.wall_now());
    return pull_failed(name, wanted, credentials.error());
  }
  starts_.begin_pull(name, wanted);
  children_.spawn("pull " + name,
                  pull_image(name, std::move(image), std::move(config), std::move(*credentials)));
}

boost::asio::awaitable<void> ContainerImages::pull_image(std::string name, cri::ImageSpec image,
                                                         cri::PodSandboxConfig sandbox_config,
                                                         std::vector<cri::AuthConfig> credentials) {
  auto pulled = co_await env_.shared.pulls.pull(std::move(image), std::move(sandbox_config),
                                                std::move(credentials));
  const bool failed = !pulled;
  if (!starts_.pull_ended(name, std::move(pulled), env_.clock.wall_now())) co_return;
  if (failed) persistence_.remember_at_once();
  mailbox_.ring();
}

boost::asio::awaitable<std::optional<ImageFound>> ContainerImages::pulled_image(std::string name) {
  const ImagePull pull = starts_.finish_pull(name);
  const std::string& wanted = pull.image;
  const Result<PulledImage>& pulled = *pull.outcome;
  if (!pulled) {
    pull_failed(name, wanted, pulled.error());
    co_return std::nullopt;
  }
  cri::ImageSpec image;
  image.image = pulled->image_ref;
  Context context;
  auto status = co_await env_.images.image_status(context, image);
  if (!status) {
    inspect_failed(name, status.error());
    co_return std::nullopt;
  }
  starts_.image_present(wanted);
  teller_.event(EventLevel::kNormal, "Pulled",
                fmt::format("Successfully pulled image \"{}\" in {} ({} including waiting). "
                            "Image size: {} bytes.",
                            wanted, to_milliseconds(pulled->pulling),
                            to_milliseconds(pulled->including_waiting), status->size),
                name);
  ImageFound found;
  found.reference = pulled->image_ref;
  found.status = std::move(*status);
  co_return found;
}

// Reports a failure that already counts.
void ContainerImages::pull_failed(const std::string& name, const std::string& image,
                                  const Error& error) {
  const std::string text(without_unknown(error.message));
  const PullFailure failure = classify_pull_failure(image, text);
  const std::string record =
      teller_.happened(name, PullFailed{.reason = failure.reason, .error = error.message});
  const About about{.container = name, .decision = record, .reason = failure.reason};
  teller_.warn_event("Failed", fmt::format("Failed to pull image \"{}\": {}", image, text), about);
  teller_.warn_event("Failed", fmt::format("Error: {}", failure.reason), about);
  starts_.failed(name, failure.reason, failure.message);
  persistence_.remember_at_once();
  mailbox_.ring();  // the plan now knows how long to wait
}

// Reports it; the caller records why.
void ContainerImages::image_unusable(const std::string& name, std::string_view reason,
                                     std::string_view event_reason, const std::string& message) {
  teller_.warn_event(event_reason, message, name);
  teller_.warn_event("Failed", fmt::format("Error: {}", reason), name);
  starts_.failed(name, reason, message);
}

void ContainerImages::inspect_failed(const std::string& name, const Error& error) {
  image_unusable(name, kImageInspectError, "InspectFailed",
                 fmt::format("Failed to inspect image \"\": {}", without_call(error.message)));
  teller_.happened(name,
                   ImageFailed{.reason = std::string(kImageInspectError), .error = error.message});
  timetable_.failed("container/" + name, pace_after(error.code));
}

void ContainerImages::image_failed(const std::string& name, std::string_view reason,
                                   std::string_view event_reason, const std::string& message) {
  image_unusable(name, reason, event_reason, message);
  teller_.happened(name, ImageFailed{.reason = std::string(reason), .error = message});
}

}  // namespace berth::lifecycle
