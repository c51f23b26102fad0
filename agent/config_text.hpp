// SPDX-License-Identifier: Apache-2.0

// Parses a configuration file's text: KubeletConfiguration, BerthConfiguration,
// KubeSchedulerConfiguration, or several of them.
//
// Pure. Up to three documents, one of each kind, in any order; an empty file means no
// configuration. Unknown, repeated and mistyped fields are problems, each with its place and the
// nearest known name. Reports all problems at once.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "agent/settings.hpp"

namespace berth::agent {

struct ParsedConfiguration {
  // As far as readable: valid parts of a broken document are checked all the same.
  ConfigDocuments documents{};
  std::vector<ConfigProblem> problems{};
};

[[nodiscard]] ParsedConfiguration parse_configuration(std::string_view text,
                                                      const std::string& file);

}  // namespace berth::agent
