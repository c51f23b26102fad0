// SPDX-License-Identifier: Apache-2.0

#include "tests/bench/report.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "tests/bench/samples.hpp"

namespace berth::bench {
namespace {

std::string number(double value) {
  return fmt::format("{:.{}f}", value, value < 100 ? 2 : 0);
}

bool is_missed(const Figure& figure) {
  return figure.bound && (figure.samples.empty() || median(figure.samples) > *figure.bound);
}

std::string verdict(const Figure& figure) {
  if (!figure.bound) return "";
  if (is_missed(figure)) return figure.samples.empty() ? "NOT MEASURED" : "OVER";
  return percentile_99(figure.samples) > *figure.bound ? "ok, p99 over" : "ok";
}

}  // namespace

double milliseconds(Nanoseconds length) {
  return std::chrono::duration<double, std::milli>(length).count();
}

// For one run: each name once, with the sum of its lengths.
void Breakdown::add(const std::vector<Span>& spans, Interval window) {
  std::map<std::string, Row> seen;
  const auto count = [&](const std::string& name, bool gap, SteadyTime begin, Nanoseconds length) {
    Row& row = seen[name];
    if (row.milliseconds.empty()) row = {milliseconds(begin - window.begin), gap, {0}, {0}};
    row.milliseconds[0] += milliseconds(length);
    row.times[0] += 1;
  };
  for (const Gap& gap : gaps(spans, window)) {
    count(gap.after + " -> " + gap.before, true, gap.begin, gap.length);
  }
  for (const Span& span : spans) {
    const SteadyTime begin = std::max(span.during.begin, window.begin);
    const SteadyTime end = std::min(span.during.end, window.end);
    if (end > begin) count(span.name, false, begin, end - begin);
  }
  for (const auto& [name, row] : seen) {
    Row& all = rows_[name];
    if (all.milliseconds.empty()) all = {row.begin, row.gap, {}, {}};
    all.milliseconds.push_back(row.milliseconds[0]);
    all.times.push_back(row.times[0]);
  }
  ++runs_;
}

std::string Breakdown::text() const {
  std::vector<std::pair<std::string, Row>> rows(rows_.begin(), rows_.end());
  std::ranges::stable_sort(rows, {}, [](const auto& row) { return row.second.begin; });
  std::string text =
      fmt::format("\n{} ({} runs)\n        median ms   p99 ms  times\n", name_, runs_);
  for (const auto& [name, row] : rows) {
    const std::string some = fmt::format("  (in {} runs)", row.milliseconds.size());
    text += fmt::format("  {:<5} {:>9} {:>8} {:>6}  {}{}\n", row.gap ? "  gap" : "call",
                        number(median(row.milliseconds)), number(percentile_99(row.milliseconds)),
                        median(row.times), name, std::ssize(row.milliseconds) == runs_ ? "" : some);
  }
  return text;
}

std::string Report::text(bool with_breakdowns) const {
  std::string text = fmt::format("\n{:<52} {:>5} {:>9} {:>9} {:>8}  {:<12}  {}\n", "figure", "runs",
                                 "median", "p99", "bound", "", "kubelet 1.34 | 1.36");
  for (const Figure& figure : figures_) {
    text += fmt::format("{:<52} {:>5} {:>9} {:>9} {:>8}  {:<12}  {}\n",
                        figure.name + ", " + figure.unit, figure.samples.size(),
                        number(median(figure.samples)), number(percentile_99(figure.samples)),
                        figure.bound ? number(*figure.bound) : "", verdict(figure), figure.kubelet);
  }
  if (with_breakdowns) {
    for (const Breakdown& breakdown : breakdowns_) text += breakdown.text();
  }
  if (!notes_.empty()) text += "\n";
  for (const std::string& note : notes_) text += note + "\n";
  return text;
}

std::vector<std::string> Report::missed() const {
  std::vector<std::string> missed;
  std::string above;  // what an indented name belongs to
  for (const Figure& figure : figures_) {
    const auto indent = figure.name.find_first_not_of(' ');
    if (indent == 0) above = figure.name;
    if (!is_missed(figure)) continue;
    const std::string name = indent == 0 ? above : above + ", " + figure.name.substr(indent);
    missed.push_back(figure.samples.empty()
                         ? name + ": not measured"
                         : fmt::format("{}: {} {}, bound {}", name, number(median(figure.samples)),
                                       figure.unit, number(*figure.bound)));
  }
  return missed;
}

}  // namespace berth::bench
