// SPDX-License-Identifier: Apache-2.0

#include "eviction/threshold_lint.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/core.h>

#include "eviction/pressure.hpp"

namespace berth::eviction {
namespace {

class Linter {
 public:
  explicit Linter(const LintInput& input) : input_(input) {}

  std::vector<LintFinding> run() {
    for (const Threshold& threshold : input_.thresholds) look_at(threshold);
    look_for_missing();
    return std::move(found_);
  }

 private:
  void look_at(const Threshold& threshold) {
    const std::string text = to_string(threshold);
    if (look_at_share(threshold, text) == Worth::kNothingMore) return;
    look_at_soft(threshold, text);
    look_at_image_gc(threshold, text);
    if (!unresolved({Threshold{.signal = threshold.signal, .value = threshold.value}}, input_.now)
             .empty()) {
      report(LintKind::kMetNow, threshold,
             fmt::format("{} is met at this moment: {}", text,
                         observed_clause(threshold.signal, input_.now.at(threshold.signal).value)));
    }
  }

  // Whether a threshold deserves further findings.
  enum class Worth : std::uint8_t { kMore, kNothingMore };

  Worth look_at_share(const Threshold& threshold, const std::string& text) {
    const auto* share = std::get_if<Share>(&threshold.value);
    if (share == nullptr) return Worth::kMore;
    const bool stall = traits(threshold.signal).comparison == Comparison::kGreaterThan;
    if (stall && share->of_capacity == 0) {
      report(LintKind::kMetByAnyStall, threshold,
             fmt::format("{} is met by any stall at all; 0% without a point switches a threshold "
                         "off",
                         text));
      return Worth::kMore;
    }
    const bool never = stall ? share->of_capacity >= 1 : share->of_capacity == 0;
    if (!never && !std::isnan(share->of_capacity)) return Worth::kMore;
    report(LintKind::kNeverMet, threshold,
           fmt::format("{} is never met; {}% without a point switches a threshold off", text,
                       stall ? 100 : 0));
    return Worth::kNothingMore;
  }

  void look_at_soft(const Threshold& threshold, const std::string& text) {
    if (is_hard(threshold)) {
      if (threshold.origin == ThresholdOrigin::kEvictionSoft) {
        report(LintKind::kSoftWithoutGrace, threshold,
               fmt::format("{} has a grace period of zero: it acts like a hard threshold", text));
      }
      return;
    }
    for (const Threshold& hard : input_.thresholds) {
      if (hard.signal != threshold.signal || !is_hard(hard)) continue;
      if (is_met_before(threshold, hard)) continue;
      report(LintKind::kSoftNotBeforeHard, threshold,
             fmt::format("{} never acts before the hard threshold {}", text, to_string(hard)));
    }
  }

  // False if an amount and a share are compared without a measurement: then nothing is reported.
  [[nodiscard]] bool is_met_before(const Threshold& soft, const Threshold& hard) const {
    const auto seen = input_.now.find(soft.signal);
    const bool alike = soft.value.index() == hard.value.index();
    if (seen == input_.now.end() && !alike) return true;
    constexpr std::int64_t kAnyCapacity = std::int64_t{1} << 40;
    const api::Quantity capacity =
        seen == input_.now.end() ? api::Quantity::from_int(kAnyCapacity) : seen->second.capacity;
    const auto a = amount_of(soft.value, capacity);
    const auto b = amount_of(hard.value, capacity);
    return traits(soft.signal).comparison == Comparison::kLessThan ? a > b : a < b;
  }

  void look_at_image_gc(const Threshold& threshold, const std::string& text) {
    const auto* share = std::get_if<Share>(&threshold.value);
    if (threshold.signal != Signal::kImageFsAvailable || share == nullptr) return;
    // Converted like a configured percentage, so that the same number gives the same share.
    constexpr std::int32_t kPercent = 100;
    const auto free_at_gc =
        static_cast<float>(kPercent - input_.image_gc_high_percent) / static_cast<float>(kPercent);
    if (free_at_gc > share->of_capacity) return;
    report(LintKind::kImageGcTooLate, threshold,
           fmt::format("{} is met no later than imageGCHighThresholdPercent {}: pods are evicted "
                       "before unused images are collected",
                       text, input_.image_gc_high_percent));
  }

  void look_for_missing() {
    const auto has_hard = [&](auto&& matches) {
      return std::ranges::any_of(input_.thresholds, [&](const Threshold& one) {
        return is_hard(one) && matches(traits(one.signal));
      });
    };
    if (!has_hard(
            [](const SignalTraits& one) { return one.resource == StarvedResource::kMemory; })) {
      report(LintKind::kNoHardMemory, std::nullopt,
             "no hard threshold on memory: when it runs out, the OOM killer acts, not eviction");
    }
    if (!has_hard(
            [](const SignalTraits& one) { return one.file_system != SignalFileSystem::kNone; })) {
      report(LintKind::kNoHardDisk, std::nullopt,
             "no hard threshold on disk: evictionHard replaces all defaults unless "
             "mergeDefaultEvictionSettings is true");
    }
    if (!has_hard([](const SignalTraits& one) { return one.resource == StarvedResource::kPids; })) {
      report(LintKind::kNoPids, std::nullopt,
             "no hard threshold on pid.available: one pod can take all processes of the node");
    }
  }

  void report(LintKind kind, std::optional<Threshold> threshold, std::string message) {
    found_.push_back(
        {.kind = kind, .threshold = std::move(threshold), .message = std::move(message)});
  }

  const LintInput& input_;
  std::vector<LintFinding> found_{};
};

}  // namespace

std::string_view to_string(LintKind kind) {
  switch (kind) {
    case LintKind::kSoftWithoutGrace:
      return "SoftWithoutGrace";
    case LintKind::kSoftNotBeforeHard:
      return "SoftNotBeforeHard";
    case LintKind::kNeverMet:
      return "NeverMet";
    case LintKind::kMetByAnyStall:
      return "MetByAnyStall";
    case LintKind::kNoHardMemory:
      return "NoHardMemory";
    case LintKind::kNoHardDisk:
      return "NoHardDisk";
    case LintKind::kNoPids:
      return "NoPids";
    case LintKind::kImageGcTooLate:
      return "ImageGcTooLate";
    case LintKind::kMetNow:
      return "MetNow";
  }
  return "";
}

std::vector<LintFinding> lint_thresholds(const LintInput& input) {
  return Linter(input).run();
}

}  // namespace berth::eviction
