// SPDX-License-Identifier: Apache-2.0

#include "ctl/evictions/plot.hpp"

#include <algorithm>
#include <cstdint>
#include <limits>

#include <fmt/format.h>

#include "api/time.hpp"

namespace berth::ctl {
namespace {

namespace wire = control::v1;

constexpr double kWidth = 1000;
constexpr double kLeft = 110;  // for amounts
constexpr double kBand = 160;  // of one signal
constexpr double kGap = 50;    // for its name and the times
constexpr double kTop = 20;

struct Extent {
  double low = std::numeric_limits<double>::max();
  double high = std::numeric_limits<double>::lowest();

  void take(double value) {
    low = std::min(low, value);
    high = std::max(high, value);
  }
  [[nodiscard]] double share(double value) const {
    return high > low ? (value - low) / (high - low) : 0.5;
  }
};

std::string escaped(const std::string& text) {
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

std::string amount(const std::string& unit, double value) {
  if (unit == "ppm") return fmt::format("{:.1f}%", value / 10'000);
  if (unit == "count") return fmt::format("{:.0f}", value);
  constexpr double kMi = 1 << 20;
  if (value >= 1024 * kMi) return fmt::format("{:.1f}Gi", value / (1024 * kMi));
  return fmt::format("{:.0f}Mi", value / kMi);
}

std::int64_t milliseconds_of(const std::string& time) {
  const auto parsed = api::Time::parse(time);
  if (!parsed) return 0;
  return std::chrono::duration_cast<std::chrono::milliseconds>(parsed->at.time_since_epoch())
      .count();
}

double x_of(const Extent& time, double at) {
  return kLeft + time.share(at) * (kWidth - kLeft - 20);
}

std::string text_at(double x, double y, const std::string& text, const char* more = "") {
  return fmt::format("<text x=\"{:.1f}\" y=\"{:.1f}\" {}>{}</text>\n", x, y, more, escaped(text));
}

std::string line(double x1, double y1, double x2, double y2, const char* style) {
  return fmt::format("<line x1=\"{:.1f}\" y1=\"{:.1f}\" x2=\"{:.1f}\" y2=\"{:.1f}\" {}/>\n", x1, y1,
                     x2, y2, style);
}

std::string band(const wire::SignalSeries& series, const Extent& time, double top) {
  Extent values;
  values.take(0);
  for (const double value : series.values()) values.take(value);
  for (const auto& limit : series.limits()) values.take(limit.value());
  const auto y_of = [&](double value) { return top + kBand - values.share(value) * kBand; };
  std::string out = text_at(kLeft, top - 6, series.signal(), "font-weight=\"bold\"");
  out += fmt::format(
      "<rect x=\"{}\" y=\"{:.1f}\" width=\"{}\" height=\"{}\" fill=\"none\" stroke=\"#999\"/>\n",
      kLeft, top, kWidth - kLeft - 20, kBand);
  for (const double value : {values.low, values.high})
    out += text_at(4, y_of(value) + 4, amount(series.unit(), value));
  out += "<polyline fill=\"none\" stroke=\"#1f5fa8\" stroke-width=\"1.5\" points=\"";
  for (int i = 0; i < series.values_size() && i < series.time_ms_size(); ++i)
    out += fmt::format("{:.1f},{:.1f} ", x_of(time, static_cast<double>(series.time_ms(i))),
                       y_of(series.values(i)));
  out += "\"/>\n";
  for (const auto& limit : series.limits()) {
    out += line(kLeft, y_of(limit.value()), kWidth - 20, y_of(limit.value()),
                "stroke=\"#b3261e\" stroke-dasharray=\"6 4\"");
    out += text_at(kLeft + 4, y_of(limit.value()) - 3, limit.threshold(),
                   "fill=\"#b3261e\" font-size=\"10\"");
  }
  return out;
}

// Evictions through all bands; what is a guess is pale.
std::string evictions(const wire::SimulateEvictionsReply& reply, const Extent& time,
                      double bottom) {
  std::string out;
  for (const auto& event : reply.events()) {
    if (event.kind() != "Eviction") continue;
    const double x = x_of(time, static_cast<double>(milliseconds_of(event.time())));
    const bool guess = event.certainty() == "AfterDeviation";
    out += line(x, kTop, x, bottom,
                guess ? "stroke=\"#e08a00\" stroke-opacity=\"0.45\"" : "stroke=\"#e08a00\"");
    out += text_at(x + 3, kTop + 10, event.namespace_() + "/" + event.name(),
                   "fill=\"#a06000\" font-size=\"10\"");
  }
  return out;
}

}  // namespace

std::string plot_svg(const wire::SimulateEvictionsReply& reply) {
  Extent time;
  for (const auto& series : reply.series())
    for (const std::int64_t at : series.time_ms()) time.take(static_cast<double>(at));
  if (time.high < time.low) return {};
  const double height = kTop + static_cast<double>(reply.series_size()) * (kBand + kGap) + 20;
  std::string out = fmt::format(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{}\" height=\"{:.0f}\" "
      "font-family=\"sans-serif\" font-size=\"12\">\n<rect width=\"100%\" height=\"100%\" "
      "fill=\"white\"/>\n",
      kWidth, height);
  double top = kTop + 20;
  for (const auto& series : reply.series()) {
    out += band(series, time, top);
    top += kBand + kGap;
  }
  out += evictions(reply, time, height - 30);
  out += text_at(kLeft, height - 8, reply.from());
  out += text_at(kWidth - 20, height - 8, reply.until(), "text-anchor=\"end\"");
  return out + "</svg>\n";
}

}  // namespace berth::ctl
