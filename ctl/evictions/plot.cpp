// SPDX-License-Identifier: Apache-2.0

#include "ctl/evictions/plot.hpp"

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <limits>
#include <ranges>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include "api/time.hpp"
#include "ctl/evictions/plot_axis.hpp"

namespace berth::ctl {
namespace {

namespace wire = control::v1;

constexpr double kWidth = 1000;
constexpr double kLeft = 80;  // for amounts
constexpr double kRight = kWidth - 20;
constexpr double kBand = 150;  // of one signal
constexpr double kGap = 60;    // for its times, and the next one's name
constexpr double kHead = 66;   // title and legend
constexpr double kRow = 20;    // of numbers above the bands, and of the list below
constexpr std::size_t kListed = 30;
constexpr double kMargin = 0.1;   // a threshold is not to coincide with the frame
constexpr double kNarrow = 0.25;  // of an axis from zero
// The oldest measurements are five minutes apart; where more is missing, berthd did not run
// (eviction/history.hpp, kHistoryHole).
constexpr std::int64_t kHoleMs = std::int64_t{11} * 60 * 1000;

constexpr const char* kSignalColour = "#1f5fa8";
constexpr const char* kThresholdColour = "#b3261e";
constexpr const char* kEvictionColour = "#c46a00";

struct Span {
  std::int64_t from = std::numeric_limits<std::int64_t>::max();
  std::int64_t until = std::numeric_limits<std::int64_t>::min();
};

// An eviction of the simulation, and where it is drawn.
struct Mark {
  std::string when{};
  std::string name{};
  bool guess = false;
  double x = 0;
  std::size_t row = 0;  // numbers that would overlap are placed below one another
};

std::string escaped(std::string_view text) {
  std::string out;
  for (const char c : text) {
    if (c == '<')
      out += "&lt;";
    else if (c == '>')
      out += "&gt;";
    else if (c == '&')
      out += "&amp;";
    else if (c == '"')
      out += "&quot;";
    else
      out += c;
  }
  return out;
}

std::int64_t milliseconds_of(const std::string& time) {
  const auto parsed = api::Time::parse(time);
  if (!parsed) return 0;
  return std::chrono::duration_cast<std::chrono::milliseconds>(parsed->at.time_since_epoch())
      .count();
}

double x_of(const Span& time, double at) {
  const auto from = static_cast<double>(time.from);
  const auto until = static_cast<double>(time.until);
  const double share = until > from ? (at - from) / (until - from) : 0.5;
  return kLeft + std::clamp(share, 0.0, 1.0) * (kRight - kLeft);
}

std::string text_at(double x, double y, std::string_view text, std::string_view style = {}) {
  return fmt::format("<text x=\"{:.1f}\" y=\"{:.1f}\" {}>{}</text>\n", x, y, style, escaped(text));
}

std::string line(double x1, double y1, double x2, double y2, std::string_view style) {
  return fmt::format("<line x1=\"{:.1f}\" y1=\"{:.1f}\" x2=\"{:.1f}\" y2=\"{:.1f}\" {}/>\n", x1, y1,
                     x2, y2, style);
}

std::string stroke(std::string_view colour, std::string_view more = {}) {
  return fmt::format("stroke=\"{}\" {}", colour, more);
}

std::string rectangle(double x, double y, double width, double height, std::string_view style) {
  return fmt::format("<rect x=\"{:.1f}\" y=\"{:.1f}\" width=\"{:.1f}\" height=\"{:.1f}\" {}/>\n", x,
                     y, width, height, style);
}

// One signal's part of the picture.
class Band {
 public:
  Band(const wire::SignalSeries& series, const Span& time, double top)
      : series_(series), time_(time), top_(top) {
    std::vector<double> amounts(series.values().begin(), series.values().end());
    for (const auto& limit : series.limits()) amounts.push_back(limit.value());
    ticks_ = ticks_for(amounts);
  }

  [[nodiscard]] std::string svg() const {
    std::string out = text_at(kLeft, top_ - 8, series_.signal(), "font-weight=\"bold\"");
    out += beyond() + grid() + measured() + thresholds();
    return out + rectangle(kLeft, top_, kRight - kLeft, kBand, "fill=\"none\" stroke=\"#888\"");
  }

 private:
  // Zero is left out if all amounts are so near to each other that one could not distinguish them.
  [[nodiscard]] std::vector<Tick> ticks_for(const std::vector<double>& amounts) const {
    if (amounts.empty()) return amount_ticks(series_.unit(), 0);
    const auto [low, high] = std::ranges::minmax(amounts);
    const double margin = (high - low) * kMargin;
    if (low < high && high - low < high * kNarrow)
      return amount_ticks_between(series_.unit(), low - margin, high + margin);
    return amount_ticks(series_.unit(), high + margin);
  }
  [[nodiscard]] double y_of(double value) const {
    const double first = ticks_.front().at;
    const double share = (value - first) / (ticks_.back().at - first);
    return top_ + kBand - std::clamp(share, 0.0, 1.0) * kBand;
  }
  [[nodiscard]] static bool is_met_above(const wire::SeriesLimit& limit) {
    return limit.threshold().find('>') != std::string::npos;
  }

  [[nodiscard]] std::string grid() const {
    std::string out;
    const std::string pale = stroke("#ddd");
    for (const Tick& tick : ticks_) {
      out += line(kLeft - 4, y_of(tick.at), kRight, y_of(tick.at), pale);
      out += text_at(kLeft - 8, y_of(tick.at) + 4, tick.label, "text-anchor=\"end\"");
    }
    for (const Tick& tick : time_ticks(time_.from, time_.until)) {
      const double x = x_of(time_, tick.at);
      out += line(x, top_, x, top_ + kBand + 4, pale);
      out += text_at(x, top_ + kBand + 18, tick.label, "text-anchor=\"middle\"");
    }
    return out;
  }

  [[nodiscard]] std::string beyond() const {
    std::string out;
    for (const auto& limit : series_.limits()) {
      const double y = y_of(limit.value());
      const double begin = is_met_above(limit) ? top_ : y;
      const double end = is_met_above(limit) ? y : top_ + kBand;
      out += rectangle(kLeft, begin, kRight - kLeft, end - begin,
                       fmt::format("fill=\"{}\" fill-opacity=\"0.08\"", kThresholdColour));
    }
    return out;
  }

  // A line for each stretch without a hole; a dot for a stretch of one measurement.
  [[nodiscard]] std::string measured() const {
    const int count = std::min(series_.values_size(), series_.time_ms_size());
    std::string out;
    for (int begin = 0; begin < count;) {
      std::string points;
      int i = begin;
      for (; i < count; ++i) {
        if (i > begin && series_.time_ms(i) - series_.time_ms(i - 1) > kHoleMs) break;
        points +=
            fmt::format("{:.1f},{:.1f} ", x_of(time_, static_cast<double>(series_.time_ms(i))),
                        y_of(series_.values(i)));
      }
      out += i - begin > 1
                 ? fmt::format("<polyline fill=\"none\" stroke-width=\"1.5\" points=\"{}\" {}/>\n",
                               points, stroke(kSignalColour))
                 : fmt::format("<circle cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"2\" fill=\"{}\"/>\n",
                               x_of(time_, static_cast<double>(series_.time_ms(begin))),
                               y_of(series_.values(begin)), kSignalColour);
      begin = i;
    }
    return out;
  }

  // Where the names of thresholds stand, the lowest threshold first: above its line, or as near to
  // that as the other names and the frame allow.
  [[nodiscard]] std::vector<double> rows_of(
      const std::vector<const wire::SeriesLimit*>& limits) const {
    constexpr double kLine = 13;
    std::vector<double> rows;
    for (const auto* limit : limits) {
      const double lowest = rows.empty() ? top_ + kBand - 4 : rows.back() - kLine;
      rows.push_back(std::min(y_of(limit->value()) - 4, lowest));
    }
    double highest = top_ + kLine;
    for (double& row : std::views::reverse(rows)) {
      row = std::max(row, highest);
      highest = row + kLine;
    }
    return rows;
  }

  // Their names are inside the band, and do not overlap.
  [[nodiscard]] std::string thresholds() const {
    std::vector<const wire::SeriesLimit*> limits;
    for (const auto& limit : series_.limits()) limits.push_back(&limit);
    std::ranges::sort(limits, {}, [](const auto* limit) { return limit->value(); });
    const std::vector<double> rows = rows_of(limits);
    std::string lines;
    std::string names;
    for (std::size_t i = 0; i < limits.size(); ++i) {
      const auto* limit = limits[i];
      const double y = y_of(limit->value());
      lines += line(kLeft, y, kRight, y, stroke(kThresholdColour, "stroke-dasharray=\"6 4\""));
      const std::string amount = axis_amount(series_.unit(), limit->value());
      const bool named = limit->threshold().ends_with(amount);
      names +=
          text_at(kLeft + 6, rows[i],
                  named ? limit->threshold() : fmt::format("{} ({})", limit->threshold(), amount),
                  fmt::format("fill=\"{}\" font-size=\"11\" stroke=\"white\" stroke-width=\"3\" "
                              "paint-order=\"stroke\"",
                              kThresholdColour));
    }
    return lines + names;
  }

  const wire::SignalSeries& series_;
  const Span& time_;
  double top_;
  std::vector<Tick> ticks_{};
};

std::vector<Mark> marks_of(const wire::SimulateEvictionsReply& reply, const Span& time) {
  constexpr double kApart = 22;
  std::vector<Mark> marks;
  std::vector<double> last;  // of each row
  for (const auto& event : reply.events()) {
    if (event.kind() != "Eviction") continue;
    const std::int64_t at = milliseconds_of(event.time());
    Mark mark{.when = axis_time(at),
              .name = event.namespace_() + "/" + event.name(),
              .guess = event.certainty() == "AfterDeviation",
              .x = x_of(time, static_cast<double>(at))};
    while (mark.row < last.size() && mark.x - last[mark.row] < kApart) ++mark.row;
    if (mark.row == last.size()) last.push_back(mark.x);
    last[mark.row] = mark.x;
    marks.push_back(std::move(mark));
  }
  return marks;
}

std::string eviction_stroke(bool guess) {
  return stroke(kEvictionColour,
                guess ? "stroke-width=\"1.5\" stroke-opacity=\"0.45\"" : "stroke-width=\"1.5\"");
}

// Lines through all bands, with their numbers above.
std::string lines_of(const std::vector<Mark>& marks, double top, double bottom) {
  std::string out;
  for (std::size_t i = 0; i < marks.size(); ++i) {
    const double y = top + static_cast<double>(marks[i].row) * kRow;
    out += line(marks[i].x, y, marks[i].x, bottom, eviction_stroke(marks[i].guess));
    out += fmt::format("<circle cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"9\" fill=\"white\" {}/>\n",
                       marks[i].x, y, eviction_stroke(marks[i].guess));
    out += text_at(marks[i].x, y + 4, fmt::format("{}", i + 1),
                   "text-anchor=\"middle\" font-size=\"11\"");
  }
  return out;
}

std::string list_of(const std::vector<Mark>& marks, double top) {
  std::string out =
      text_at(kLeft, top, marks.empty() ? "No pod would have been evicted." : "Evictions",
              "font-weight=\"bold\"");
  for (std::size_t i = 0; i < marks.size() && i < kListed; ++i) {
    top += kRow;
    out += text_at(kLeft, top,
                   fmt::format("{}. {} {}{}", i + 1, marks[i].when, marks[i].name,
                               marks[i].guess ? " (a guess)" : ""));
  }
  if (marks.size() > kListed)
    out += text_at(kLeft, top + kRow, fmt::format("and {} more", marks.size() - kListed));
  return out;
}

// The title, and what the colours mean.
std::string head_of(const wire::SimulateEvictionsReply& reply, const Span& time) {
  std::string out =
      text_at(kLeft, 24,
              fmt::format("Eviction as simulated from {} to {} UTC, {} samples",
                          axis_time(time.from), axis_time(time.until), reply.samples()),
              "font-size=\"15\" font-weight=\"bold\"");
  double x = kLeft;
  const auto entry = [&](const std::string& style, std::string_view text, double width) {
    out += line(x, 44, x + 24, 44, style) + text_at(x + 30, 48, text);
    x += width;
  };
  entry(stroke(kSignalColour, "stroke-width=\"1.5\""), "measured", 120);
  entry(stroke(kThresholdColour, "stroke-dasharray=\"6 4\""), "threshold; shaded: it is met", 230);
  entry(eviction_stroke(false), "eviction", 110);
  entry(eviction_stroke(true), "eviction that is a guess", 200);
  return out;
}

}  // namespace

std::string plot_svg(const wire::SimulateEvictionsReply& reply) {
  Span time;
  for (const auto& series : reply.series()) {
    for (const std::int64_t at : series.time_ms()) {
      time.from = std::min(time.from, at);
      time.until = std::max(time.until, at);
    }
  }
  if (time.until < time.from) return {};
  const std::vector<Mark> marks = marks_of(reply, time);
  std::size_t rows = 0;
  for (const Mark& mark : marks) rows = std::max(rows, mark.row + 1);
  const double numbers = kHead + kRow / 2;
  const double bands = kHead + static_cast<double>(rows) * kRow + 24;
  const double list = bands + static_cast<double>(reply.series_size()) * (kBand + kGap);
  const auto listed = static_cast<double>(std::min(marks.size(), kListed + 1));
  const double height = list + listed * kRow + 20;
  std::string out = fmt::format(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{0}\" height=\"{1:.0f}\" "
      "viewBox=\"0 0 {0} {1:.0f}\" font-family=\"sans-serif\" font-size=\"12\">\n"
      "<rect width=\"100%\" height=\"100%\" fill=\"white\"/>\n",
      kWidth, height);
  out += head_of(reply, time);
  for (int i = 0; i < reply.series_size(); ++i)
    out += Band(reply.series(i), time, bands + i * (kBand + kGap)).svg();
  out += lines_of(marks, numbers, list - kGap);
  return out + list_of(marks, list) + "</svg>\n";
}

}  // namespace berth::ctl
