// A worker getting the image of one container: looked up, pulled by policy, in the kubelet's words.

#include <algorithm>
#include <utility>

#include <fmt/core.h>

#include "api/image_reference.hpp"
#include "api/time.hpp"
#include "base/rpc_error.hpp"
#include "lifecycle/image_decision.hpp"
#include "lifecycle/pod_identity.hpp"
#include "lifecycle/pod_worker.hpp"
#include "node/sandbox_config.hpp"

namespace berth::lifecycle {
namespace {

std::string to_milliseconds(Nanoseconds duration) {
  const api::Duration whole{std::chrono::floor<std::chrono::milliseconds>(duration)};
  return whole.to_string();
}

ImagePullBackoff with_failure(ImagePullBackoff history, const std::string& uid,
                              const std::string& image, const Error& error, WallTime at) {
  PullFailure failure = classify_pull_failure(image, std::string(without_unknown(error.message)));
  return record_pull_failure(std::move(history), {}, uid, image, std::move(failure.reason),
                             std::move(failure.message), at);
}

}  // namespace

// An image that was found for this start is not looked for again when the start is retried; after
// a create that failed it is only asked for by its id, whatever the policy, until its time is over.
boost::asio::awaitable<std::optional<ImageFound>> PodWorker::ready_image(std::string name) {
  const std::string wanted = container_spec(name)->image;
  const KeptImage kept = images_.kept(name, wanted, env_.clock.steady_now());
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
  if (found) images_.keep(name, wanted, *found, env_.clock.steady_now());
  co_return found;
}

// None: it failed (the reason is noted), or a pull is under way (`pulls_` has it).
boost::asio::awaitable<std::optional<ImageFound>> PodWorker::find_image(std::string name) {
  const std::string wanted = container_spec(name)->image;
  const std::string policy = container_spec(name)->imagePullPolicy;
  const auto pull = pulls_.find(name);
  if (pull != pulls_.end()) {
    if (!pull->second.outcome) co_return std::nullopt;
    if (pull->second.image == wanted) co_return co_await take_pulled_image(name);
    pulls_.erase(pull);  // of an image that an edit has replaced
  }
  if (const auto named = api::parse_image_reference(wanted); !named) {
    // Nothing but an edit helps; the retry is for an edit in place.
    image_failed(name, kInvalidImageName, "InspectFailed",
                 fmt::format("Failed to apply default image tag \"{0}\": couldn't parse image name "
                             "\"{0}\": {1}",
                             wanted, named.error()));
    failed("container/" + name, kRefused);
    co_return std::nullopt;
  }
  bool present = false;
  ImageFound found;
  if (auto seen = image_seen(name); seen && asks_presence(policy)) {
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
  teller_.ledger().decided(question, decision, env_.clock.wall_now());
  switch (decision.pull) {
    case PullDecision::kUsePresent:
      present_images_.insert(wanted);
      teller_.event(EventLevel::kNormal, "Pulled",
                    fmt::format("Container image \"{}\" already present on machine", wanted), name);
      co_return found;
    case PullDecision::kRefuse:
      image_unusable(name, kErrImageNeverPull, kErrImageNeverPull,
                     image_reason(question, decision).text);
      failed("container/" + name, kRefused);
      co_return std::nullopt;
    case PullDecision::kPull:
      present_images_.erase(wanted);
      begin_pull_in_its_turn(name);
      break;
  }
  co_return std::nullopt;
}

bool PodWorker::is_pulling(const std::string& image) const {
  return std::ranges::any_of(pulls_, [&image](const auto& entry) {
    return entry.second.image == image && !entry.second.outcome;
  });
}

// Another container's pull of the same image is waited for; and it may have failed while this one
// was asked for.
void PodWorker::begin_pull_in_its_turn(const std::string& name) {
  const std::string& wanted = container_spec(name)->image;
  if (is_pulling(wanted)) return;
  count_failures_of(wanted);
  // The next plan sees it.
  if (check_pull(pull_backoff_, {}, uid_, wanted, env_.clock.wall_now()).in_backoff)
    return bell_.notify();
  begin_pull(name);
}

// They count before another pull of the image can fail.
void PodWorker::count_failures_of(const std::string& image) {
  for (auto& [name, pull] : pulls_) {
    if (pull.image != image || pull.counted || !pull.outcome || *pull.outcome) continue;
    pull.counted = true;
    pull_backoff_ =
        with_failure(std::move(pull_backoff_), uid_, image, pull.outcome->error(), pull.ended);
  }
}

void PodWorker::begin_pull(const std::string& name) {
  const std::string& wanted = container_spec(name)->image;
  const cri::PodSandboxStatus* sandbox = ready_sandbox();
  cri::PodSandboxConfig config;
  if (sandbox != nullptr) {
    auto built = node::sandbox_config(
        *env_.node, *pod_,
        {.attempt = sandbox->metadata.attempt, .incarnation = incarnation_of(*pod_)});
    if (built) config = std::move(*built);
  }
  cri::ImageSpec image;
  image.image = api::with_default_tag(wanted);
  image.annotations = pod_->metadata.annotations;
  image.user_specified_image = wanted;
  teller_.event(EventLevel::kNormal, "Pulling", fmt::format("Pulling image \"{}\"", wanted), name);
  auto credentials = pull_credentials(wanted);
  if (!credentials) {
    pull_backoff_ = with_failure(std::move(pull_backoff_), uid_, wanted, credentials.error(),
                                 env_.clock.wall_now());
    return pull_failed(name, wanted, credentials.error());
  }
  pulls_[name] = {.image = wanted};
  children_.spawn("pull " + name,
                  pull_image(name, std::move(image), std::move(config), std::move(*credentials)));
}

boost::asio::awaitable<void> PodWorker::pull_image(std::string name, cri::ImageSpec image,
                                                   cri::PodSandboxConfig sandbox_config,
                                                   std::vector<cri::AuthConfig> credentials) {
  auto pulled = co_await env_.puller.pull(std::move(image), std::move(sandbox_config),
                                          std::move(credentials));
  const auto pull = pulls_.find(name);
  if (pull == pulls_.end()) co_return;
  pull->second.outcome = std::move(pulled);
  pull->second.ended = env_.clock.wall_now();
  if (!*pull->second.outcome) remember_at_once();
  bell_.notify();
}

// The history with failed pulls that the worker has not come to yet: the store records them at
// once, as the worker's next turn may be far.
ImagePullBackoff PodWorker::with_untaken_failures() const {
  ImagePullBackoff history = pull_backoff_;
  for (const auto& [name, pull] : pulls_)
    if (pull.outcome && !*pull.outcome && !pull.counted)
      history =
          with_failure(std::move(history), uid_, pull.image, pull.outcome->error(), pull.ended);
  return history;
}

boost::asio::awaitable<std::optional<ImageFound>> PodWorker::take_pulled_image(std::string name) {
  const std::string wanted = pulls_.at(name).image;
  if (!*pulls_.at(name).outcome) count_failures_of(wanted);
  const Result<PulledImage> pulled = std::move(*pulls_.at(name).outcome);
  pulls_.erase(name);
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
  present_images_.insert(wanted);
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

// Reports a failure that counts already.
void PodWorker::pull_failed(const std::string& name, const std::string& image, const Error& error) {
  const std::string text(without_unknown(error.message));
  const PullFailure failure = classify_pull_failure(image, text);
  teller_.warn_event("Failed", fmt::format("Failed to pull image \"{}\": {}", image, text), name);
  teller_.warn_event("Failed", fmt::format("Error: {}", failure.reason), name);
  teller_.happened(name, PullFailed{.reason = failure.reason, .error = error.message});
  start_errors_[name] = {.reason = failure.reason, .message = failure.message};
  remember_at_once();
  bell_.notify();  // the plan now knows until when it has to wait
}

// As has been recorded already, with the decision.
void PodWorker::image_unusable(const std::string& name, std::string_view reason,
                               std::string_view event_reason, const std::string& message) {
  teller_.warn_event(event_reason, message, name);
  teller_.warn_event("Failed", fmt::format("Error: {}", reason), name);
  start_errors_[name] = {.reason = std::string(reason), .message = message};
}

void PodWorker::inspect_failed(const std::string& name, const Error& error) {
  image_unusable(name, kImageInspectError, "InspectFailed",
                 fmt::format("Failed to inspect image \"\": {}", without_call(error.message)));
  teller_.happened(name,
                   ImageFailed{.reason = std::string(kImageInspectError), .error = error.message});
  failed("container/" + name, pace_after(error.code));
}

void PodWorker::image_failed(const std::string& name, std::string_view reason,
                             std::string_view event_reason, const std::string& message) {
  image_unusable(name, reason, event_reason, message);
  teller_.happened(name, ImageFailed{.reason = std::string(reason), .error = message});
}

}  // namespace berth::lifecycle
