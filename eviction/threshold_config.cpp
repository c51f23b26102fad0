// SPDX-License-Identifier: Apache-2.0

#include "eviction/threshold_config.hpp"

#include <cmath>
#include <utility>

#include <fmt/core.h>

#include "api/time.hpp"
#include "eviction/float_text.hpp"

namespace berth::eviction {
namespace {

constexpr const char* kHard = "evictionHard";
constexpr const char* kSoft = "evictionSoft";
constexpr const char* kGrace = "evictionSoftGracePeriod";
constexpr const char* kReclaim = "evictionMinimumReclaim";

std::unexpected<Error> refused(std::string message) {
  return fail(ErrorCode::kInvalid, std::move(message));
}

bool is_percentage(std::string_view text) {
  return text.ends_with('%');
}

// Divides in 32 bits.
Result<Share> parse_share(std::string_view text) {
  while (text.ends_with('%')) text.remove_suffix(1);
  const auto percent = parse_float32(text);
  if (!percent) return fail(percent.error());
  constexpr float kPercent = 100;
  return Share{*percent / kPercent};
}

// The name of a value in error texts.
constexpr const char* kThreshold = "threshold";
constexpr const char* kMinimumReclaim = "minimum reclaim";

// Kubernetes accepts NaN, and such a threshold is never met; a stall would exceed it for ever.
bool is_refused_nan(Signal signal, Share share) {
  return traits(signal).origin == SignalOrigin::kBerth && std::isnan(share.of_capacity);
}

std::string no_number(const char* what, Signal signal, const std::string& text) {
  return fmt::format("eviction {} {} must be a number: {}", what, to_string(signal), text);
}

// `std::nullopt` if the threshold is disabled.
Result<std::optional<ThresholdValue>> parse_value(Signal signal, const std::string& text) {
  if (is_percentage(text)) {
    if (text == "0%" || text == "100%") return std::nullopt;
    const auto share = parse_share(text);
    if (!share) return fail(share.error());
    if (is_refused_nan(signal, *share)) return refused(no_number(kThreshold, signal, text));
    if (share->of_capacity < 0) {
      return refused(fmt::format("eviction percentage threshold {} must be >= 0%: {}",
                                 to_string(signal), text));
    }
    if (share->of_capacity > 1) {
      return refused(fmt::format("eviction percentage threshold {} must be <= 100%: {}",
                                 to_string(signal), text));
    }
    return ThresholdValue{*share};
  }
  auto quantity = api::Quantity::parse(text);
  if (!quantity) return fail(quantity.error());
  if (quantity->sign() <= 0) {
    return refused(fmt::format("eviction threshold {} must be positive: {}", to_string(signal),
                               quantity->to_string()));
  }
  return ThresholdValue{*std::move(quantity)};
}

Result<ThresholdValue> parse_reclaim(Signal signal, const std::string& text) {
  if (is_percentage(text)) {
    const auto share = parse_share(text);
    if (!share) return fail(share.error());
    if (is_refused_nan(signal, *share)) return refused(no_number(kMinimumReclaim, signal, text));
    if (share->of_capacity <= 0) {
      return refused(fmt::format("eviction percentage minimum reclaim {} must be positive: {}",
                                 to_string(signal), text));
    }
    return ThresholdValue{*share};
  }
  auto quantity = api::Quantity::parse(text);
  if (!quantity) return fail(quantity.error());
  if (quantity->sign() < 0) {
    return refused(
        fmt::format("negative eviction minimum reclaim specified for {}", to_string(signal)));
  }
  return ThresholdValue{*std::move(quantity)};
}

Result<Nanoseconds> parse_grace(const std::string& text) {
  const auto grace = api::Duration::parse(text);
  if (!grace) return fail(grace.error());
  if (grace->value < Nanoseconds::zero()) {
    return refused(
        fmt::format("invalid eviction grace period specified: {}, must be a positive value", text));
  }
  return grace->value;
}

// A stall is a share of the time, so only percentages make sense.
template <class Value>
Result<Value> with_fitting_unit(const char* what, Signal signal, const std::string& text,
                                Result<Value> parsed) {
  if (parsed && traits(signal).unit == SignalUnit::kPartsPerMillion && !is_percentage(text)) {
    return refused(
        fmt::format("eviction {} {} must be a percentage: {}", what, to_string(signal), text));
  }
  return parsed;
}

class Parser {
 public:
  explicit Parser(const ThresholdSettings& settings) : settings_(settings) {}

  std::expected<std::vector<Threshold>, std::vector<SettingProblem>> run() {
    const auto hard = read_values(kHard, settings_.evictionHard);
    const auto soft = read_values(kSoft, settings_.evictionSoft);
    const auto graces =
        read<Nanoseconds>(kGrace, settings_.evictionSoftGracePeriod,
                          [](Signal, const std::string& text) { return parse_grace(text); });
    const auto reclaims = read<ThresholdValue>(
        kReclaim, settings_.evictionMinimumReclaim, [](Signal signal, const std::string& text) {
          return with_fitting_unit(kMinimumReclaim, signal, text, parse_reclaim(signal, text));
        });
    std::vector<Threshold> out;
    for (const auto& [signal, value] : hard)
      if (value) out.push_back({.signal = signal, .value = *value});
    for (const auto& [signal, value] : soft) {
      if (!value) continue;
      const auto grace = graces.find(signal);
      if (grace != graces.end()) {
        out.push_back({.signal = signal,
                       .value = *value,
                       .grace_period = grace->second,
                       .origin = ThresholdOrigin::kEvictionSoft});
      } else if (!settings_.evictionSoftGracePeriod.contains(std::string(to_string(signal)))) {
        report(kSoft, std::string(to_string(signal)),
               fmt::format("grace period must be specified for the soft eviction threshold {}",
                           to_string(signal)));
      }
    }
    for (Threshold& threshold : out) {
      const auto reclaim = reclaims.find(threshold.signal);
      if (reclaim == reclaims.end()) continue;
      threshold.min_reclaim = reclaim->second;
      look_at_reclaim(threshold);
    }
    if (!problems_.empty()) return std::unexpected(std::move(problems_));
    return with_allocatable(std::move(out), settings_.enforce_pods_allocatable);
  }

 private:
  template <class Value, class Read>
  std::map<Signal, Value> read(const char* field, const SignalValues& values, Read&& read_one) {
    std::map<Signal, Value> out;
    for (const auto& [name, text] : values) {
      const auto signal = parse_signal(name, settings_.own_signals);
      if (!signal) {
        report(field, name, fmt::format("unsupported eviction signal {}", name));
        continue;
      }
      auto value = read_one(*signal, text);
      if (value) {
        out.emplace(*signal, *std::move(value));
      } else {
        report(field, name, std::move(value.error().message));
      }
    }
    return out;
  }

  std::map<Signal, std::optional<ThresholdValue>> read_values(const char* field,
                                                              const SignalValues& values) {
    return read<std::optional<ThresholdValue>>(
        field, values, [](Signal signal, const std::string& text) {
          return with_fitting_unit(kThreshold, signal, text, parse_value(signal, text));
        });
  }

  // For stalls the reclaim is subtracted from the limit, and no stall is below zero: such a
  // threshold would never count as resolved.
  void look_at_reclaim(const Threshold& threshold) {
    if (traits(threshold.signal).comparison != Comparison::kGreaterThan) return;
    const auto* limit = std::get_if<Share>(&threshold.value);
    const auto* gain = std::get_if<Share>(&*threshold.min_reclaim);
    if (limit == nullptr || gain == nullptr || gain->of_capacity <= limit->of_capacity) return;
    const std::string_view signal = to_string(threshold.signal);
    report(kReclaim, std::string(signal),
           fmt::format("eviction {} {} must be <= the threshold {}: {}", kMinimumReclaim, signal,
                       to_string(threshold.value), to_string(*threshold.min_reclaim)));
  }

  void report(const char* field, std::string signal, std::string message) {
    problems_.push_back(
        {.field = field, .signal = std::move(signal), .message = std::move(message)});
  }

  const ThresholdSettings& settings_;
  std::vector<SettingProblem> problems_{};
};

}  // namespace

std::expected<std::vector<Threshold>, std::vector<SettingProblem>> parse_thresholds(
    const ThresholdSettings& settings) {
  return Parser(settings).run();
}

std::vector<Threshold> with_allocatable(std::vector<Threshold> thresholds,
                                        bool enforce_pods_allocatable) {
  std::erase_if(thresholds, [](const Threshold& threshold) {
    return threshold.origin == ThresholdOrigin::kNodeAllocatable;
  });
  if (!enforce_pods_allocatable) return thresholds;
  std::vector<Threshold> more;
  for (const Threshold& threshold : thresholds) {
    if (threshold.signal != Signal::kMemoryAvailable || !is_hard(threshold)) continue;
    more.push_back(threshold);
    more.back().signal = Signal::kAllocatableMemoryAvailable;
    more.back().origin = ThresholdOrigin::kNodeAllocatable;
  }
  thresholds.insert(thresholds.end(), more.begin(), more.end());
  return thresholds;
}

const SignalValues& default_eviction_hard() {
  static const SignalValues values = {{"memory.available", "100Mi"},
                                      {"nodefs.available", "10%"},
                                      {"nodefs.inodesFree", "5%"},
                                      {"imagefs.available", "15%"},
                                      {"imagefs.inodesFree", "5%"}};
  return values;
}

SignalValues effective_eviction_hard(const std::optional<SignalValues>& configured,
                                     DefaultsUse use) {
  if (!configured) return default_eviction_hard();
  SignalValues out = *configured;
  if (use == DefaultsUse::kMerged)
    out.insert(default_eviction_hard().begin(), default_eviction_hard().end());
  return out;
}

}  // namespace berth::eviction
