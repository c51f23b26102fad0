// SPDX-License-Identifier: Apache-2.0

#include "cri/translate_statistics.hpp"

#include <algorithm>
#include <limits>

#include "cri/translate_parts.hpp"

namespace berth::cri {
namespace {

// An absent message and 0 differ.
std::optional<std::int64_t> amount(bool present, const runtime::v1::UInt64Value& value) {
  constexpr std::uint64_t kMost = std::numeric_limits<std::int64_t>::max();
  if (!present) return std::nullopt;
  return static_cast<std::int64_t>(std::min(value.value(), kMost));
}

// Nanoseconds since 1970; containerd leaves it 0 for values it has not measured.
std::optional<WallTime> moment(std::int64_t timestamp) {
  if (timestamp <= 0) return std::nullopt;
  return WallTime(Nanoseconds(time_from(timestamp)));
}

}  // namespace

ContainerStatistics from_message(const runtime::v1::ContainerStats& message) {
  const auto& attributes = message.attributes();
  ContainerStatistics out{.id = ContainerId(attributes.id()), .name = attributes.metadata().name()};
  const auto uid = attributes.labels().find(kLabelPodUid);
  if (uid != attributes.labels().end()) out.pod_uid = uid->second;
  if (message.has_memory()) {
    const auto& memory = message.memory();
    out.working_set = amount(memory.has_working_set_bytes(), memory.working_set_bytes());
    out.memory_time = moment(memory.timestamp());
  }
  if (message.has_writable_layer()) {
    const auto& layer = message.writable_layer();
    out.writable_bytes = amount(layer.has_used_bytes(), layer.used_bytes());
    out.writable_inodes = amount(layer.has_inodes_used(), layer.inodes_used());
    out.writable_time = moment(layer.timestamp());
  }
  return out;
}

}  // namespace berth::cri
