// SPDX-License-Identifier: Apache-2.0

#include "tests/conformance/summary_input.hpp"

#include <string>

#include "api/time.hpp"

namespace berth::conformance {
namespace {

namespace json = boost::json;
using eviction::FileSystemReading;
using eviction::MemoryReading;
using eviction::UsedSpace;

std::optional<std::int64_t> number(const json::object& from, const char* key) {
  const auto* value = from.if_contains(key);
  if (value == nullptr) return std::nullopt;
  // Numbers of the summary are unsigned, but read as signed.
  if (value->is_uint64()) return static_cast<std::int64_t>(value->get_uint64());
  return value->to_number<std::int64_t>();
}

// Empty if it is absent.
std::string text(const json::object& from, const char* key) {
  const auto* value = from.if_contains(key);
  return value == nullptr ? std::string() : json::value_to<std::string>(*value);
}

std::optional<WallTime> time_of(const json::object& from) {
  const auto* time = from.if_contains("time");
  if (time == nullptr) return std::nullopt;
  return api::Time::parse(std::string(time->as_string())).value().at;
}

// The result of `read` for the object at `key`; `std::nullopt` if there is none.
template <class Read>
auto part(const json::object& from, const char* key, Read&& read)
    -> std::optional<decltype(read(from))> {
  const auto* value = from.if_contains(key);
  if (value == nullptr) return std::nullopt;
  return read(value->as_object());
}

template <class Visit>
void each(const json::object& from, const char* key, Visit&& visit) {
  const auto* list = from.if_contains(key);
  if (list == nullptr) return;
  for (const auto& item : list->as_array()) visit(item.as_object());
}

MemoryReading memory(const json::object& from) {
  return {.available = number(from, "availableBytes"),
          .working_set = number(from, "workingSetBytes"),
          .time = time_of(from)};
}

FileSystemReading file_system(const json::object& from) {
  return {.available = number(from, "availableBytes"),
          .capacity = number(from, "capacityBytes"),
          .inodes_free = number(from, "inodesFree"),
          .inodes = number(from, "inodes"),
          .time = time_of(from)};
}

UsedSpace used_space(const json::object& from) {
  return {.bytes = number(from, "usedBytes"), .inodes = number(from, "inodesUsed")};
}

eviction::NodeReadings node_readings(const json::object& node) {
  eviction::NodeReadings out;
  out.memory = part(node, "memory", memory);
  out.node_fs = part(node, "fs", file_system);
  if (const auto* runtime = node.if_contains("runtime")) {
    out.image_fs = part(runtime->as_object(), "imageFs", file_system);
    out.container_fs = part(runtime->as_object(), "containerFs", file_system);
  }
  out.pids = part(node, "rlimit", [](const json::object& limits) {
    return eviction::PidReading{.running = number(limits, "curproc"),
                                .max = number(limits, "maxpid"),
                                .time = time_of(limits)};
  });
  bool found = false;
  each(node, "systemContainers", [&](const json::object& container) {
    if (found || text(container, "name") != "pods") return;
    found = true;  // the first one of that name counts, whatever it lacks
    out.allocatable_memory = part(container, "memory", memory);
  });
  return out;
}

eviction::PodReading pod_reading(const json::object& pod) {
  eviction::PodReading out;
  out.memory = part(pod, "memory", [](const json::object& usage) {
    return eviction::UsedMemory{.working_set = number(usage, "workingSetBytes")};
  });
  if (const auto used = part(pod, "ephemeral-storage", used_space)) {
    out.ephemeral_storage = used->bytes;
  }
  if (const auto* processes = pod.if_contains("process_stats")) {
    out.processes = number(processes->as_object(), "process_count");
  }
  each(pod, "containers", [&](const json::object& container) {
    eviction::ContainerReading one{.name = text(container, "name"),
                                   .rootfs = part(container, "rootfs", used_space),
                                   .logs = part(container, "logs", used_space)};
    if (const auto usage = part(container, "memory", memory)) one.working_set = usage->working_set;
    out.containers.push_back(std::move(one));
  });
  each(pod, "volume", [&](const json::object& volume) {
    out.volumes.push_back({.name = text(volume, "name"), .used = used_space(volume)});
  });
  return out;
}

}  // namespace

eviction::Readings read_summary(const json::object& summary) {
  eviction::Readings out;
  out.node = part(summary, "node", node_readings).value_or(eviction::NodeReadings{});
  each(summary, "pods", [&](const json::object& pod) {
    const auto uid = part(pod, "podRef", [](const json::object& ref) { return text(ref, "uid"); });
    out.pods[uid.value_or("")] = pod_reading(pod);
  });
  return out;
}

}  // namespace berth::conformance
