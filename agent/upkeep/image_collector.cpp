// SPDX-License-Identifier: Apache-2.0

#include "agent/upkeep/image_collector.hpp"

#include <sys/statvfs.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstring>
#include <utility>

#include <fmt/core.h>

#include "agent/metrics/metric_text.hpp"
#include "lifecycle/ledger/kinds.hpp"

namespace berth::agent {
namespace {

// As the kubelet, whatever the period of rounds: an image's age, which spares it under disk
// pressure, counts from when it was first seen.
constexpr Nanoseconds kDetectEvery = std::chrono::minutes(5);

// The id of the record of a round that begins at that time.
std::string round_id(const std::string& node, WallTime at) {
  const auto& kind =
      lifecycle::kind_of<lifecycle::ImageCollectionQuestion, lifecycle::ImageCollection>();
  return lifecycle::record_id(lifecycle::record_about_node(node, at, kind.name()));
}

}  // namespace

Result<node::ImageFileSystem> image_file_system(const std::string& path) {
  struct statvfs disk {};
  if (::statvfs(path.c_str(), &disk) != 0)
    return fail(ErrorCode::kUnknown,
                "measuring the images' file system at " + path + ": " + std::strerror(errno));
  const auto block = static_cast<std::int64_t>(disk.f_frsize);
  return node::ImageFileSystem{.capacity = static_cast<std::int64_t>(disk.f_blocks) * block,
                               .available = static_cast<std::int64_t>(disk.f_bavail) * block};
}

std::set<std::string> wanted_images(const std::vector<lifecycle::PodPtr>& pods) {
  std::set<std::string> images;
  for (const auto& pod : pods) {
    if (pod->status.phase == "Succeeded" || pod->status.phase == "Failed") continue;
    for (const auto* containers : {&pod->spec.initContainers, &pod->spec.containers})
      for (const auto& container : *containers)
        images.insert(node::full_image_name(container.image));
  }
  return images;
}

ImageCollector::ImageCollector(Services services, node::ImageGcPolicy policy, Nanoseconds period)
    : services_(std::move(services)),
      policy_(policy),
      period_(period),
      book_(services_.ledger),
      began_(services_.clock.steady_now()) {}

boost::asio::awaitable<void> ImageCollector::run() {
  const bool removes = !node::image_gc_disabled(policy_);
  SteadyTime round_at = services_.clock.steady_now();
  for (;;) {
    if (removes && services_.clock.steady_now() >= round_at) {
      co_await periodic_round();
      round_at = services_.clock.steady_now() + period_;
    } else {
      const auto detected = co_await detect();
      if (!detected) services_.log.warn("ImagesNotSeen", detected.error().message);
    }
    const SteadyTime next = services_.clock.steady_now() + kDetectEvery;
    co_await services_.clock.sleep_until(removes ? std::min(next, round_at) : next);
  }
}

boost::asio::awaitable<void> ImageCollector::periodic_round() {
  const auto freed = co_await collect(node::ImageGcCause::kPeriodic);
  failed_in_a_row_ = freed ? 0 : failed_in_a_row_ + 1;
  if (!freed) services_.log.warn("ImageGCFailed", freed.error().message);
  // The first failure often only means that not everything has started yet.
  if (failed_in_a_row_ > 1)
    services_.events.record_node(true, "ImageGCFailed", freed.error().message);
}

boost::asio::awaitable<Result<std::int64_t>> ImageCollector::collect(node::ImageGcCause cause) {
  const auto input = co_await look(cause);
  if (!input) co_return fail(input.error());
  lifecycle::ImageCollectionQuestion round{.node = services_.node, .input = *input};
  lifecycle::ImageCollection collection;
  const WallTime at = services_.clock.wall_now();
  for (;;) {
    const node::ImageGcStep step = node::next_image_gc_step(round.input, round.done);
    if (step.remove && !step.failure) {
      auto removing = remove(step, at);
      node::ImageRemoval removal = co_await std::move(removing);
      lifecycle::add_removal(collection, step, removal.error);
      round.done.push_back(std::move(removal));
      continue;
    }
    if (step.failure) collection.failure = step.failure->message;
    book_.decided(round, collection, at);
    if (!step.failure) co_return collection.freed;
    report_failure(*step.failure);
    co_return fail(ErrorCode::kUnknown, step.failure->message);
  }
}

// The images that containers (including dead ones) were made from, that pods name, and that
// sandboxes use.
boost::asio::awaitable<Result<ImageCollector::Used>> ImageCollector::used_now() {
  const Context context;
  const auto store = co_await services_.images.image_store(context);
  if (!store) co_return fail(wrap("asking where images are kept", store.error()));
  cri::ContainerFilter all;
  const auto containers = co_await services_.runtime.list_containers(context, all);
  if (!containers) co_return fail(wrap("listing containers", containers.error()));
  Used used{.names = services_.wanted(), .mountpoint = store->mountpoint};
  if (!store->sandbox_image.empty()) used.names.insert(node::full_image_name(store->sandbox_image));
  for (const cri::Container& container : *containers) {
    for (const std::string& name : {container.image_id, container.image_ref, container.image.image})
      if (!name.empty()) used.names.insert({name, node::full_image_name(name)});
  }
  co_return used;
}

boost::asio::awaitable<Result<std::string>> ImageCollector::detect() {
  const Context context;
  const auto used = co_await used_now();
  if (!used) co_return fail(used.error());
  const auto listed = co_await services_.images.list_images(context);
  if (!listed) co_return fail(wrap("listing images", listed.error()));
  known_ = node::detect_images(known_, *listed, used->names, services_.clock.steady_now());
  co_return used->mountpoint;
}

boost::asio::awaitable<Result<node::ImageGcInput>> ImageCollector::look(node::ImageGcCause cause) {
  const auto mountpoint = co_await detect();
  if (!mountpoint) co_return fail(mountpoint.error());
  std::function<Result<node::ImageFileSystem>()> look_at_disk =
      [measure = services_.measure, path = *mountpoint] { return measure(path); };
  const auto disk =
      co_await services_.pool.run("looking at " + *mountpoint, std::move(look_at_disk));
  if (!disk) co_return fail(disk.error());
  const SteadyTime now = services_.clock.steady_now();
  node::ImageGcInput input{
      .cause = cause, .policy = policy_, .file_system = *disk, .uptime = now - began_, .now = now};
  for (const auto& [id, image] : known_) input.images.push_back(image);
  co_return input;
}

// A pod that arrived meanwhile keeps its image.
boost::asio::awaitable<node::ImageRemoval> ImageCollector::remove(node::ImageGcStep step,
                                                                  WallTime round) {
  const node::KnownImage& image = *step.remove;
  const std::set<std::string> wanted = services_.wanted();
  for (const std::string& name : image.names)
    if (wanted.contains(name)) co_return node::ImageRemoval{image.id, "a pod has come to need it"};
  const Context context;
  cri::ImageSpec spec{.image = image.id};
  auto removing = services_.images.remove_image(context, std::move(spec));
  const auto removed = co_await std::move(removing);
  const std::string what = fmt::format("{} ({}, {} bytes)", image.name(), image.id, image.bytes);
  if (!removed) {
    services_.log.warn("ImageGCFailed", "removing " + what + ": " + removed.error().message);
    co_return node::ImageRemoval{image.id, removed.error().message};
  }
  known_.erase(image.id);
  ++removed_[step.reason];
  // A round that removes something is always recorded; one that only fails, not each time.
  std::vector<LogField> fields;
  if (services_.ledger != nullptr)
    fields.push_back({.key = "DECISION", .value = round_id(services_.node, round)});
  services_.log.info("ImageRemoved", what + ": " + step.why, fields);
  co_return node::ImageRemoval{image.id, {}};
}

void ImageCollector::write_metrics(std::string& out) const {
  constexpr const char* kRemoved = "kubelet_image_garbage_collected_total";
  if (removed_.empty()) return;
  write_metric_head(out, kRemoved, "counter",
                    "[ALPHA] Total number of images garbage collected by the kubelet, whether "
                    "through disk usage or image age.");
  for (const auto& [reason, count] : removed_)
    out +=
        fmt::format("{}{{reason=\"{}\"}} {}\n", kRemoved, to_string(reason), metric_number(count));
}

void ImageCollector::report_failure(const node::ImageGcFailure& failure) {
  if (!failure.event.empty()) services_.events.record_node(true, failure.event, failure.message);
}

}  // namespace berth::agent
