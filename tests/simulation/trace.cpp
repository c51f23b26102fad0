#include "tests/simulation/trace.hpp"

#include <fmt/core.h>

namespace berth::simulation {

void Trace::line(SteadyTime now, std::string_view who, std::string_view what) {
  const auto mix = [this](std::string_view text) {
    for (const char letter : text) {
      hash_ = (hash_ ^ static_cast<unsigned char>(letter)) * 0x100000001b3ULL;
    }
  };
  const auto at = static_cast<std::uint64_t>(now.time_since_epoch().count());
  for (int byte = 0; byte < 8; ++byte) {
    hash_ = (hash_ ^ ((at >> (8 * byte)) & 0xff)) * 0x100000001b3ULL;
  }
  mix(who);
  mix(what);
  ++lines_;
  if (!sink_) return;
  const auto micros = now.time_since_epoch().count() / 1000;
  sink_(fmt::format("{:>5}.{:06} {:<8} {}", micros / 1'000'000, micros % 1'000'000, who,
                    readable(std::string(what))));
}

std::string Trace::readable(std::string text) const {
  for (const auto& [id, name] : names_) {
    for (auto at = text.find(id); at != std::string::npos; at = text.find(id, at + name.size()))
      text.replace(at, id.size(), name);
  }
  return text;
}

}  // namespace berth::simulation
