// SPDX-License-Identifier: Apache-2.0

#include "tests/bench/call_share.hpp"

#include <algorithm>

namespace berth::bench {

std::vector<Gap> gaps(const std::vector<Span>& spans, Interval window) {
  std::vector<Span> inside;
  for (const Span& span : spans) {
    if (span.during.end > window.begin && span.during.begin < window.end) inside.push_back(span);
  }
  std::ranges::stable_sort(inside, {}, [](const Span& span) { return span.during.begin; });

  std::vector<Gap> found;
  SteadyTime covered_to = window.begin;
  std::string last = "trigger";
  for (const Span& span : inside) {
    if (span.during.begin > covered_to) {
      found.push_back({last, span.name, covered_to, span.during.begin - covered_to});
    }
    if (span.during.end > covered_to) {
      covered_to = span.during.end;
      last = span.name;
    }
  }
  if (window.end > covered_to)
    found.push_back({last, "milestone", covered_to, window.end - covered_to});
  return found;
}

Nanoseconds own_share(const std::vector<Span>& spans, Interval window) {
  Nanoseconds sum{};
  for (const Gap& gap : gaps(spans, window)) sum += gap.length;
  return sum;
}

}  // namespace berth::bench
