// SPDX-License-Identifier: Apache-2.0

#include "ctl/probe_row.hpp"

#include <chrono>

#include <fmt/format.h>

namespace berth::ctl {
namespace {

// "250 µs", "2 ms", "1.5 s"
std::string short_span(Nanoseconds span) {
  using std::chrono::duration;
  if (span < std::chrono::milliseconds(1))
    return fmt::format("{:.0f} µs", duration<double, std::micro>(span).count());
  if (span < std::chrono::seconds(1))
    return fmt::format("{:.0f} ms", duration<double, std::milli>(span).count());
  return fmt::format("{:.3g} s", duration<double>(span).count());
}

std::string shown_result(const ShownProbe& probe) {
  return probe.result.empty() ? "<none>" : probe.result;
}

// Delays that any process may have are not mentioned.
std::string lateness(const ShownProbe& probe) {
  return probe.runs.empty() ? "-" : short_span(probe.runs.back().late);
}

std::string next_run(const ShownProbe& probe) {
  if (probe.under_way) return "now";
  if (!probe.next_in) return "-";
  return "in " + short_span(std::max(*probe.next_in, Nanoseconds::zero()));
}

std::string plain_outcome(const ShownRun& run) {
  if (run.standing == "errored") return "errored: " + run.words;
  if (run.standing == "too early") return fmt::format("failed: {} (too early to count)", run.words);
  if (run.outcome == "success") return "passed in " + short_span(run.took);
  return (run.outcome == "warning" ? "warned: " : "failed: ") + run.words;
}

// Mentions only noteworthy lateness.
std::string outcome_text(const ShownRun& run) {
  constexpr Nanoseconds kLateWorthSaying = std::chrono::milliseconds(100);
  std::string text = plain_outcome(run);
  if (run.late >= kLateWorthSaying) text += fmt::format(", begun {} late", short_span(run.late));
  return text;
}

}  // namespace

Row probe_header(bool with_namespace, bool wide) {
  Row header;
  if (with_namespace) header.emplace_back("NAMESPACE");
  header.insert(header.end(), {"POD", "CONTAINER", "TYPE", "RESULT", "NEXT", "LATE"});
  if (wide)
    header.insert(header.end(), {"PERIOD", "WORST-LATE", "PASSED", "FAILED", "ERRORED", "HELD-UP"});
  header.emplace_back("LAST");
  return header;
}

Row probe_row(const ShownProbe& probe, bool with_namespace, bool wide) {
  Row row;
  if (with_namespace) row.push_back(probe.namespace_);
  row.insert(row.end(), {probe.pod, probe.container, probe.type, shown_result(probe),
                         next_run(probe), lateness(probe)});
  if (wide) {
    row.insert(row.end(), {short_span(probe.period), short_span(probe.worst_late),
                           fmt::format("{}", probe.successful), fmt::format("{}", probe.failed),
                           fmt::format("{}", probe.errored), fmt::format("{}", probe.held_up)});
  }
  row.push_back(last_outcome(probe));
  return row;
}

std::string last_outcome(const ShownProbe& probe) {
  std::string text = "not asked yet";
  if (!probe.runs.empty()) {
    const ShownRun& last = probe.runs.back();
    text = outcome_text(last);
    const bool passed = last.outcome == "success" || last.outcome == "warning";
    const int enough = passed ? probe.success_threshold : probe.failure_threshold;
    if (last.standing == "counted" && probe.run > 0 && probe.run < enough)
      text += fmt::format(" ({} of {})", probe.run, enough);
  }
  if (!probe.waits_for.empty()) text += "; waits: " + probe.waits_for;
  return text;
}

std::vector<Row> described_probes(const std::vector<ShownProbe>& probes) {
  std::vector<Row> rows;
  for (const ShownProbe& probe : probes) {
    rows.push_back({probe.container, probe.type, shown_result(probe), next_run(probe),
                    "late " + lateness(probe), last_outcome(probe)});
    for (const ShownRun& run : probe.runs) {
      if (run.standing == "counted" && run.outcome == "success") continue;
      rows.push_back({"", "", "", run.time, "late " + short_span(run.late), outcome_text(run)});
    }
  }
  return rows;
}

}  // namespace berth::ctl
