#include "control/nearest.hpp"

#include <algorithm>
#include <cctype>

namespace berth::control {
namespace {

char lower(char c) {
  return static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
}

// Levenshtein's distance, one row at a time.
std::size_t distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> row(b.size() + 1);
  for (std::size_t j = 0; j <= b.size(); ++j) row[j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    auto diagonal = row[0];
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const auto substituted = diagonal + (lower(a[i - 1]) == lower(b[j - 1]) ? 0U : 1U);
      diagonal = row[j];
      row[j] = std::min({row[j] + 1, row[j - 1] + 1, substituted});
    }
  }
  return row[b.size()];
}

}  // namespace

std::optional<std::string> nearest(std::string_view name, const std::vector<std::string>& known) {
  std::optional<std::string> best;
  // Two letters swapped are two edits: allowed wherever that leaves something of the name.
  const std::size_t allowed = name.size() < 3 ? 1 : std::max<std::size_t>(2, name.size() / 3);
  auto best_distance = allowed + 1;
  for (const auto& candidate : known) {
    const auto d = distance(name, candidate);
    if (d < best_distance) {
      best_distance = d;
      best = candidate;
    }
  }
  return best;
}

}  // namespace berth::control
