// SPDX-License-Identifier: Apache-2.0

#include "lifecycle/ledger/fact.hpp"

#include <array>
#include <string_view>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <boost/describe.hpp>

#include "lifecycle/grace_period.hpp"
#include "lifecycle/ledger/record_codec.hpp"
#include "lifecycle/ledger/recorded_types.hpp"
#include "lifecycle/ledger/why_words.hpp"
#include "lifecycle/reasons.hpp"

namespace berth::lifecycle {

BOOST_DESCRIBE_STRUCT(ContainerExited, (), (exit_code, reason))
BOOST_DESCRIBE_STRUCT(StopSent, (), (message, grace_seconds, shortened))
BOOST_DESCRIBE_STRUCT(StateEntered, (), (from, to, because))
BOOST_DESCRIBE_STRUCT(StartFailed, (), (reason, error))
BOOST_DESCRIBE_STRUCT(PullFailed, (), (reason, error))
BOOST_DESCRIBE_STRUCT(ImageFailed, (), (reason, error))
BOOST_DESCRIBE_STRUCT(ContainerEnd, (), (name, init, exit_code, reason))
BOOST_DESCRIBE_STRUCT(PodRemoved, (), (cause, forced, phase, reason, ends))

namespace {

// The words of the typed facts, in the order of the variant; they never change.
constexpr std::array<std::string_view, std::variant_size_v<Fact>> kActions = {
    "", "Exited", "Stop", "State", "StartFailed", "PullFailed", "ImageFailed", "Removed"};

std::string failure_text(const std::string& reason, const std::string& error) {
  return reason.empty() ? error : fmt::format("{}: {}", reason, error);
}

struct TextOf {
  std::string operator()(const Remark& fact) const { return fact.text; }
  std::string operator()(const ContainerExited& fact) const {
    return fmt::format("exit code {} ({})", fact.exit_code, fact.reason);
  }
  std::string operator()(const StopSent& fact) const {
    if (fact.shortened)
      return fmt::format("the grace period was shortened to {} s", fact.grace_seconds);
    return fmt::format("{} ({} s to exit)", fact.message, fact.grace_seconds);
  }
  std::string operator()(const StateEntered& fact) const {
    return fmt::format("{} -> {}: {}", fact.from, fact.to, fact.because);
  }
  std::string operator()(const StartFailed& fact) const {
    return failure_text(fact.reason, fact.error);
  }
  std::string operator()(const PullFailed& fact) const {
    return failure_text(fact.reason, fact.error);
  }
  std::string operator()(const ImageFailed& fact) const { return fact.error; }
  std::string operator()(const PodRemoved& fact) const {
    return fmt::format("the pod is removed: {}; {}", cause_text(fact), end_text(fact));
  }
};

std::string how(const ContainerEnd& end) {
  if (!end.exit_code) return "that never ran";
  std::string text = "with " + exit_code_text(*end.exit_code);
  const bool says_more = !end.reason.empty() && end.reason != "Error" && end.reason != "Completed";
  if (says_more) text += ", " + end.reason;
  return text;
}

struct Written {
  std::string operator()(const Remark& /*fact*/) const { return ""; }
  template <class Typed>
  std::string operator()(const Typed& fact) const {
    return json_text(strict_json::write(fact));
  }
};

template <std::size_t Index>
std::optional<Fact> read_as(const Reason& reason, const std::string& output) {
  if constexpr (Index == std::variant_size_v<Fact>) {
    return std::nullopt;
  } else {
    if (reason.rule != kActions.at(Index)) return read_as<Index + 1>(reason, output);
    auto fact = read_output<std::variant_alternative_t<Index, Fact>>(output);
    if (!fact) return std::nullopt;
    return Fact(std::move(*fact));
  }
}

}  // namespace

std::string fact_action(const Fact& fact) {
  if (const auto* remark = std::get_if<Remark>(&fact)) return remark->action;
  return std::string(kActions.at(fact.index()));
}

std::string fact_text(const Fact& fact) {
  return std::visit(TextOf{}, fact);
}

std::string cause_text(const PodRemoved& removed) {
  if (!removed.cause) return "an earlier berthd had an order to terminate it";
  return end_cause_text(*removed.cause, removed.forced);
}

std::string end_text(const PodRemoved& removed) {
  const std::string& phase = removed.phase;
  std::string text = is_terminal_phase(phase) ? "it ended " + phase
                     : phase.empty()          ? "it had not begun"
                                              : "it was " + phase;
  if (!removed.reason.empty()) text += fmt::format(" ({})", removed.reason);
  std::vector<std::string> ends;
  for (const ContainerEnd& end : removed.ends)
    ends.push_back(
        fmt::format("{} {} {}", end.init ? "init container" : "container", end.name, how(end)));
  if (!ends.empty()) text += fmt::format(": {}", fmt::join(ends, ", "));
  return text;
}

LedgerRecord fact_record(const api::Pod& pod, WallTime at, std::string container,
                         const Fact& fact) {
  LedgerRecord record = record_about(pod, at, kLedgerFact);
  if (container.empty()) container = "pod";
  record.reasons.push_back(
      Reason{.subject = std::move(container), .rule = fact_action(fact), .text = fact_text(fact)});
  record.output = std::visit(Written{}, fact);
  return record;
}

Fact recorded_fact(const LedgerRecord& record) {
  if (record.reasons.empty()) return Remark{};
  const Reason& reason = record.reasons.front();
  if (!record.output.empty())
    if (auto fact = read_as<1>(reason, record.output)) return std::move(*fact);
  return Remark{.action = reason.rule, .text = reason.text};
}

}  // namespace berth::lifecycle
