// SPDX-License-Identifier: Apache-2.0

#include "tests/simulation/trace.hpp"

#include <utility>

#include <fmt/core.h>
#include <boost/algorithm/string/erase.hpp>

namespace berth::simulation {

void Trace::line(SteadyTime now, std::string_view who, std::string what) {
  if (!folder_.empty()) boost::erase_all(what, folder_);
  hash_.add(static_cast<std::uint64_t>(now.time_since_epoch().count()));
  hash_.add(who);
  hash_.add(what);
  ++lines_;
  if (!sink_) return;
  const auto micros = now.time_since_epoch().count() / 1000;
  sink_(fmt::format("{:>5}.{:06} {:<8} {}", micros / 1'000'000, micros % 1'000'000, who,
                    readable(std::move(what))));
}

std::string Trace::readable(std::string text) const {
  for (const auto& [id, name] : names_) {
    for (auto at = text.find(id); at != std::string::npos; at = text.find(id, at + name.size()))
      text.replace(at, id.size(), name);
  }
  return text;
}

}  // namespace berth::simulation
