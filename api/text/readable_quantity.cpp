// SPDX-License-Identifier: Apache-2.0

#include "api/text/readable_quantity.hpp"

#include <array>
#include <cmath>
#include <string_view>

#include <fmt/core.h>

namespace berth::api {
namespace {

constexpr double kStep = 1024;
constexpr std::array<std::string_view, 7> kPrefixes = {"", "Ki", "Mi", "Gi", "Ti", "Pi", "Ei"};

double rounded(double value, Rounding rounding) {
  switch (rounding) {
    case Rounding::kDown:
      return std::floor(value);
    case Rounding::kUp:
      return std::ceil(value);
    case Rounding::kNearest:
      break;
  }
  return std::round(value);
}

// Without insignificant zeros: "1.50" is "1.5", "2.00" is "2".
std::string without_zeros(std::string text) {
  if (text.find('.') == std::string::npos) return text;
  text.erase(text.find_last_not_of('0') + 1);
  if (text.ends_with('.')) text.pop_back();
  return text;
}

// With three digits, or four if the unit needs them: 1.46, 14.6, 146, 1023.
std::string in_unit(double value, Rounding rounding, std::size_t unit) {
  const int decimals = unit == 0 || value >= 100 ? 0 : value >= 10 ? 1 : 2;
  const double scale = std::pow(10.0, decimals);
  const double shown = rounded(value * scale, rounding) / scale;
  if (shown >= kStep && unit + 1 < kPrefixes.size())
    return in_unit(shown / kStep, Rounding::kNearest, unit + 1);
  return without_zeros(fmt::format("{:.{}f}", shown, decimals)) + std::string(kPrefixes.at(unit));
}

}  // namespace

std::string readable_bytes(std::int64_t bytes, Rounding rounding) {
  if (bytes < 0) {
    // Down is away from zero here.
    if (rounding == Rounding::kDown)
      rounding = Rounding::kUp;
    else if (rounding == Rounding::kUp)
      rounding = Rounding::kDown;
  }
  double size = std::abs(static_cast<double>(bytes));
  std::size_t unit = 0;
  for (; size >= kStep && unit + 1 < kPrefixes.size(); ++unit) size /= kStep;
  return (bytes < 0 ? "-" : "") + in_unit(size, rounding, unit);
}

std::string readable_share(double parts_per_million) {
  constexpr double kPartsInPercent = 10'000;
  const std::string text =
      without_zeros(fmt::format("{:.2f}", parts_per_million / kPartsInPercent));
  return (text == "-0" ? "0" : text) + "%";
}

}  // namespace berth::api
