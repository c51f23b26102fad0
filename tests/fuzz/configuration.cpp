// SPDX-License-Identifier: Apache-2.0

// A configuration file: read, checked, resolved.
#include "agent/settings/changed_settings.hpp"
#include "agent/settings/config_text.hpp"
#include "tests/fuzz/fuzz_target.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace berth;
  const auto parsed = agent::parse_configuration(fuzz::text_of(data, size), "config.yaml");
  auto problems = parsed.problems;
  const auto settings = agent::resolve_settings(parsed.documents, {}, "node1", problems);
  for (const auto& problem : problems) {
    fuzz::require(!problem.to_string().empty(), "problems have words");
  }
  fuzz::require(agent::changed_settings(settings, settings).empty(), "settings equal themselves");
  return 0;
}
