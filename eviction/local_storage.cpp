// SPDX-License-Identifier: Apache-2.0

#include "eviction/local_storage.hpp"

#include <algorithm>

#include <fmt/core.h>

#include "api/pod_resources.hpp"
#include "eviction/byte_amount.hpp"
#include "eviction/number_text.hpp"

namespace berth::eviction {
namespace {

api::ResourceList::const_iterator find_storage(const api::ResourceList& limits) {
  return limits.find(std::string(to_string(StarvedResource::kEphemeralStorage)));
}

std::optional<ExceededLimit> exceeded_empty_dir(const api::Pod& pod, const PodReading& reading) {
  for (const api::Volume& volume : pod.spec.volumes) {
    if (!volume.emptyDir || !volume.emptyDir->sizeLimit) continue;
    const api::Quantity& limit = *volume.emptyDir->sizeLimit;
    const auto found = std::ranges::find(reading.volumes, volume.name, &VolumeReading::name);
    if (limit.sign() <= 0 || found == reading.volumes.end() || !found->used.bytes) continue;
    const api::Quantity used = bytes(*found->used.bytes);
    if (used > limit) {
      return ExceededLimit{.limit = LocalStorageLimit::kEmptyDir,
                           .name = volume.name,
                           .allowed = limit,
                           .used = used};
    }
  }
  return std::nullopt;
}

std::optional<ExceededLimit> exceeded_by_pod(const api::Pod& pod, const PodReading& reading) {
  const api::ResourceList limits = api::pod_limits(pod);
  const auto limit = find_storage(limits);
  if (limit == limits.end()) return std::nullopt;
  const api::Quantity used = bytes(reading.ephemeral_storage.value_or(0));
  if (used <= limit->second) return std::nullopt;
  return ExceededLimit{.limit = LocalStorageLimit::kPod,
                       .name = pod.metadata.name,
                       .allowed = limit->second,
                       .used = used};
}

// Regular containers only. The writable layer counts if it shares the node's file system.
std::optional<ExceededLimit> exceeded_by_container(const api::Pod& pod, const PodReading& reading,
                                                   FileSystemLayout layout) {
  for (const ContainerReading& container : reading.containers) {
    const auto spec = std::ranges::find(pod.spec.containers, container.name, &api::Container::name);
    if (spec == pod.spec.containers.end()) continue;
    const auto limit = find_storage(spec->resources.limits);
    if (limit == spec->resources.limits.end() || limit->second.value() == 0) continue;
    std::int64_t used = container.logs ? container.logs->bytes.value_or(0) : 0;
    if (!has_dedicated_image_fs(layout) && container.rootfs) {
      used = capped_sum(used, container.rootfs->bytes.value_or(0));
    }
    if (bytes(used) > limit->second) {
      return ExceededLimit{.limit = LocalStorageLimit::kContainer,
                           .name = container.name,
                           .allowed = limit->second,
                           .used = bytes(used)};
    }
  }
  return std::nullopt;
}

std::string text_of(const ExceededLimit& exceeded) {
  const std::string limit = exceeded.allowed.to_string();
  switch (exceeded.limit) {
    case LocalStorageLimit::kEmptyDir:
      return fmt::format("Usage of EmptyDir volume \"{}\" exceeds the limit \"{}\". ",
                         exceeded.name, limit);
    case LocalStorageLimit::kPod:
      return fmt::format(
          "Pod ephemeral local storage usage exceeds the total limit of containers {}. ", limit);
    case LocalStorageLimit::kContainer:
      break;
  }
  return fmt::format("Container {} exceeded its local ephemeral storage limit \"{}\". ",
                     exceeded.name, limit);
}

}  // namespace

std::optional<ExceededLimit> exceeded_limit(const api::Pod& pod, const PodReading& reading,
                                            FileSystemLayout layout) {
  if (auto exceeded = exceeded_empty_dir(pod, reading)) return exceeded;
  if (auto exceeded = exceeded_by_pod(pod, reading)) return exceeded;
  return exceeded_by_container(pod, reading, layout);
}

bool has_local_storage_limit(const api::Pod& pod) {
  const auto limits_volume = [](const api::Volume& volume) {
    return volume.emptyDir && volume.emptyDir->sizeLimit;
  };
  const auto limits_container = [](const api::Container& container) {
    return find_storage(container.resources.limits) != container.resources.limits.end();
  };
  const api::ResourceList whole = api::pod_limits(pod);
  return std::ranges::any_of(pod.spec.volumes, limits_volume) ||
         std::ranges::any_of(pod.spec.containers, limits_container) ||
         find_storage(whole) != whole.end();
}

std::vector<Eviction> local_storage_evictions(const std::vector<const api::Pod*>& pods,
                                              const PodReadings& readings, FileSystemLayout layout,
                                              const EvictionRules& rules) {
  std::vector<Eviction> out;
  for (const api::Pod* pod : pods) {
    const PodReading* reading = reading_of(readings, *pod);
    if (reading == nullptr || critical_exemption(*pod, rules)) continue;
    auto exceeded = exceeded_limit(*pod, *reading, layout);
    if (!exceeded) continue;
    std::string message = text_of(*exceeded);
    out.push_back(
        {.pod = reference_to(*pod), .cause = *std::move(exceeded), .message = std::move(message)});
  }
  return out;
}

}  // namespace berth::eviction
