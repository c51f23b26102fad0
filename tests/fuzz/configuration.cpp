// SPDX-License-Identifier: Apache-2.0

// A configuration file and its drop-ins, which lines "%%" divide: read, merged, checked, resolved.
#include <vector>

#include "agent/settings/changed_settings.hpp"
#include "agent/settings/config_text.hpp"
#include "tests/fuzz/fuzz_target.hpp"

namespace {

using berth::agent::ConfigRole;
using berth::agent::ConfigText;

std::vector<ConfigText> files_in(std::string_view input) {
  constexpr std::string_view kDivides = "\n%%\n";
  std::vector<ConfigText> files;
  for (;;) {
    const auto end = input.find(kDivides);
    files.push_back({.file = files.empty() ? "config.yaml" : "drop-in.yaml",
                     .text = std::string(input.substr(0, end)),
                     .role = files.empty() ? ConfigRole::kMain : ConfigRole::kDropIn});
    if (end == std::string_view::npos) return files;
    input.remove_prefix(end + kDivides.size());
  }
}

berth::agent::Settings settings_of(const std::vector<ConfigText>& files) {
  const auto parsed = berth::agent::parse_configuration(files);
  auto problems = parsed.problems;
  const auto settings = berth::agent::resolve_settings(parsed.documents, {}, "node1", problems);
  for (const auto& problem : problems)
    berth::fuzz::require(!problem.to_string().empty(), "problems have words");
  return settings;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace berth;
  auto files = files_in(fuzz::text_of(data, size));
  const auto settings = settings_of(files);
  fuzz::require(agent::changed_settings(settings, settings).empty(), "settings equal themselves");
  files.push_back({.file = "empty.yaml", .role = ConfigRole::kDropIn});
  fuzz::require(agent::changed_settings(settings, settings_of(files)).empty(),
                "a drop-in that states nothing changes nothing");
  return 0;
}
