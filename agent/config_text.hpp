// A configuration file's text, read: KubeletConfiguration, BerthConfiguration,
// KubeSchedulerConfiguration, or several of them.
//
// Pure. Up to three documents, one of each kind, in any order; an empty file is no configuration at
// all. Unknown, repeated and mistyped fields are problems, each with its place and the nearest
// known name. All problems at once.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "agent/settings.hpp"

namespace berth::agent {

struct ParsedConfiguration {
  // As far as it could be read: what a broken document says rightly is checked all the same.
  ConfigDocuments documents{};
  std::vector<ConfigProblem> problems{};
};

[[nodiscard]] ParsedConfiguration parse_configuration(std::string_view text,
                                                      const std::string& file);

}  // namespace berth::agent
