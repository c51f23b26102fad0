// SPDX-License-Identifier: Apache-2.0

#include "tests/simulation/runtime/simulated_images.hpp"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "node/image_gc.hpp"
#include "tests/ledger/text_hash.hpp"
#include "tests/simulation/runtime/runtime_objects.hpp"

namespace berth::simulation {
namespace {

constexpr std::uint64_t kImageSize = 1'000'000;

std::string image_id(const std::string& name) {
  ledger_test::TextHash hash;
  hash.add(name);
  return fmt::format("sha256:{:064x}", hash.value());
}

}  // namespace

std::optional<cri::Image> SimulatedImages::find(const std::string& name) {
  if (name.starts_with("present/")) ids_.try_emplace(name, image_id(name));
  for (const auto& [known, id] : ids_)
    if (known == name || id == name)
      return cri::Image{.id = id, .repo_tags = {known}, .size = kImageSize};
  return std::nullopt;
}

void SimulatedImages::import(const std::string& name) {
  ids_.try_emplace(name, image_id(name));
}

cri::Call<cri::Image> SimulatedImages::image_status(Context context, cri::ImageSpec image) {
  auto order = calls_.query<cri::Image>("ImageStatus");
  order.finish = [this, name = image.image]() -> Result<cri::Image> {
    auto found = find(name);
    if (!found) return fail(missing("image " + name));
    return *std::move(found);
  };
  return calls_.fly(std::move(context), std::move(order));
}

Result<std::string> SimulatedImages::pulled(const std::string& name) {
  const bool gone = name.starts_with("missing/");
  const bool flaky = name.starts_with("flaky/") && ++pulls_[name] <= 2;
  if (gone || flaky || world_.random().chance(world_.faults().pull_failed))
    return fail(ErrorCode::kUnknown, fmt::format("failed to pull and unpack image \"{}\"", name));
  return ids_.try_emplace(name, image_id(name)).first->second;
}

cri::Call<std::string> SimulatedImages::pull_image(Context context, cri::ImageSpec image,
                                                   std::vector<cri::AuthConfig> /*auth*/,
                                                   cri::PodSandboxConfig sandbox_config) {
  const std::string name = image.image;
  const std::string pod_uid = sandbox_config.metadata.uid;
  world_.witness().pull_called(pod_uid, name);
  const bool slow = image.image.starts_with("slow/");
  const RuntimeLatencies& latencies = world_.latencies();
  RuntimeCalls::Order<std::string> order{.what = "PullImage " + name,
                                         .duration = slow ? latencies.slow_pull : latencies.pull};
  order.finish = [this, name] { return pulled(name); };
  auto done = co_await calls_.fly(std::move(context), std::move(order));
  if (!done && done.error().code != ErrorCode::kCancelled)
    world_.witness().pull_failed(pod_uid, name);
  co_return done;
}

cri::Call<std::vector<cri::Image>> SimulatedImages::list_images(Context context) {
  auto order = calls_.query<std::vector<cri::Image>>("ListImages");
  order.finish = [this] {
    std::vector<cri::Image> images;
    for (const auto& [name, id] : ids_)
      images.push_back({.id = id, .repo_tags = {node::full_image_name(name)}, .size = kImageSize});
    return images;
  };
  return calls_.fly(std::move(context), std::move(order));
}

cri::Call<cri::Done> SimulatedImages::remove_image(Context context, cri::ImageSpec image) {
  world_.witness().image_removal_called(image.image);
  auto order = calls_.change<cri::Done>("RemoveImage " + image.image, world_.latencies().remove);
  order.finish = [this, name = image.image] {
    std::erase_if(ids_, [&](const auto& one) { return one.first == name || one.second == name; });
    return cri::Done{};
  };
  return calls_.fly(std::move(context), std::move(order));
}

void SimulatedImages::forget_unused(const std::deque<Instance>& instances) {
  world_.say("images that no container is made from are removed");
  std::erase_if(ids_, [&instances](const auto& image) {
    return std::ranges::none_of(instances, [&image](const Instance& one) {
      return !one.removed && one.config.image.image == image.second;
    });
  });
}

cri::Call<cri::ImageStore> SimulatedImages::image_store(Context context) {
  auto order = calls_.query<cri::ImageStore>("ImageFsInfo");
  order.finish = [] { return cri::ImageStore{.mountpoint = "/"}; };
  return calls_.fly(std::move(context), std::move(order));
}

}  // namespace berth::simulation
