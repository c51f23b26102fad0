// SPDX-License-Identifier: Apache-2.0

// Eviction's inputs: thresholds from a configuration, and texts of the kernel's files.
//
// A line that starts with one of the words below is a threshold's; the whole text is also used as
// each of the files.
#include <algorithm>

#include "eviction/cgroup_memory.hpp"
#include "eviction/cycle.hpp"
#include "eviction/number_text.hpp"
#include "eviction/proc_files.hpp"
#include "eviction/threshold_config.hpp"
#include "tests/fuzz/fuzz_target.hpp"

namespace berth::fuzz {
namespace {

using namespace eviction;

// "memory.available=100Mi,nodefs.available=10%"
SignalValues values_in(std::string_view line) {
  SignalValues values;
  while (!line.empty()) {
    const auto comma = line.find(',');
    const std::string_view part = line.substr(0, comma);
    line.remove_prefix(comma == std::string_view::npos ? line.size() : comma + 1);
    if (const auto at = part.find('='); at != std::string_view::npos)
      values.insert_or_assign(std::string(part.substr(0, at)), std::string(part.substr(at + 1)));
  }
  return values;
}

void take(ThresholdSettings& settings, std::string_view line) {
  const std::string_view word = next_word(line);
  if (word == "own") settings.own_signals = true;
  if (word == "pods") settings.enforce_pods_allocatable = true;
  const SignalValues values = values_in(line);
  for (const auto& [name, map] : {std::pair{"hard", &settings.evictionHard},
                                  {"soft", &settings.evictionSoft},
                                  {"grace", &settings.evictionSoftGracePeriod},
                                  {"reclaim", &settings.evictionMinimumReclaim}}) {
    if (word == name) map->insert(values.begin(), values.end());
  }
}

bool can_be_met(const ThresholdValue& value) {
  if (const auto* quantity = std::get_if<api::Quantity>(&value)) return quantity->sign() > 0;
  const float share = std::get<Share>(value).of_capacity;
  return !(share < 0) && !(share > 1);  // NaN is accepted, as in Kubernetes
}

void check_thresholds(const std::vector<Threshold>& thresholds, const ThresholdSettings& settings) {
  for (const Threshold& threshold : thresholds) {
    require(can_be_met(threshold.value), "what is kept can be met", to_string(threshold));
    require(threshold.grace_period >= Nanoseconds::zero(), "grace is not negative");
    require(settings.own_signals || traits(threshold.signal).origin == SignalOrigin::kKubernetes,
            "berth's own signals are known only where they are meant");
  }
  using enum FileSystemLayout;
  for (const auto layout : {kSingle, kDedicatedImageFs, kSplitImageFs}) {
    const auto once = with_container_fs(thresholds, layout);
    const auto signals = [](const std::vector<Threshold>& list) {
      return std::ranges::count_if(
          list, [](const Threshold& one) { return one.signal == Signal::kContainerFsAvailable; });
    };
    require(signals(with_container_fs(once, layout)) == signals(once),
            "thresholds of the containers' file system are derived once");
  }
}

void check_judgement(const std::vector<Threshold>& thresholds, const NodeReadings& node) {
  const auto judged = judge({}, thresholds, observe(node), std::chrono::minutes(5), SteadyTime{});
  require(judged.thresholds.size() == thresholds.size(), "each threshold is judged");
  for (const JudgedThreshold& one : in_eviction_order(judged.thresholds)) {
    require(one.standing == ThresholdStanding::kDue && is_hard(one.threshold),
            "at the first look only hard ones are due", to_string(one.threshold));
  }
}

void check_not_negative(const std::optional<std::int64_t>& number) {
  require(!number || *number >= 0, "nothing is negative");
}

void check_memory(const MemoryReading& reading, const CgroupMemory& memory) {
  check_not_negative(reading.available);
  check_not_negative(reading.working_set);
  require(reading.working_set.has_value() == (memory.usage && memory.inactive_file),
          "without a part there is no sum");
  require(!reading.available || reading.working_set, "nothing is left of what is not known");
}

NodeReadings parse_files(const std::string& text) {
  NodeReadings node;
  for (const auto version : {CgroupVersion::kV1, CgroupVersion::kV2}) {
    for (const auto place : {CgroupPlace::kRoot, CgroupPlace::kBelow}) {
      const auto memory =
          parse_cgroup_memory({.usage = text, .stat = text, .limit = "8589934592"}, version, place);
      node.memory = memory_reading(memory, memory.limit, std::nullopt);
      check_memory(*node.memory, memory);
      if (const auto cached = memory_with_cache(memory, memory.limit, std::nullopt)) {
        require(cached->available >= *node.memory->available && cached->available <= *memory.limit,
                "cache adds to what is available, and to no more than there is");
      }
    }
  }
  const MemInfo info = parse_meminfo(text);
  for (const auto& number : {info.total, info.available, info.swap_free, info.swap_total}) {
    check_not_negative(number);
  }
  node.own.memory_with_cache = node_memory_with_cache(info, std::nullopt);
  node.own.swap = swap_reading(info, std::nullopt);
  node.own.memory_pressure = parse_pressure(text, std::nullopt);
  if (const auto& stall = node.own.memory_pressure) {
    constexpr std::int64_t kAllTheTime = 1'000'000;
    for (const auto share : {stall->some_avg10, stall->some_avg60, stall->some_avg300,
                             stall->full_avg10, stall->full_avg60, stall->full_avg300}) {
      require(share >= 0 && share <= kAllTheTime, "a stall is a share of the time");
    }
  }
  node.pids = pid_reading(parse_loadavg_tasks(text), parse_number(text), 4194304, std::nullopt);
  check_not_negative(node.pids->running);
  return node;
}

}  // namespace
}  // namespace berth::fuzz

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace berth;
  const std::string text(fuzz::text_of(data, size));
  eviction::ThresholdSettings settings;
  for (std::string_view rest = text; !rest.empty();) {
    fuzz::take(settings, eviction::next_line(rest));
  }
  const auto thresholds = eviction::parse_thresholds(settings);
  const auto node = fuzz::parse_files(text);
  if (thresholds) {
    fuzz::check_thresholds(*thresholds, settings);
    fuzz::check_judgement(*thresholds, node);
    return 0;
  }
  fuzz::require(!thresholds.error().empty(), "a refusal has problems");
  for (const auto& problem : thresholds.error()) {
    fuzz::require(!problem.field.empty() && !problem.message.empty(), "a problem names its field");
  }
  return 0;
}
