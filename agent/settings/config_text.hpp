// SPDX-License-Identifier: Apache-2.0

// Parses the texts of a configuration: KubeletConfiguration, BerthConfiguration,
// KubeSchedulerConfiguration, or several of them.
//
// Pure. A text has up to three documents, one of each kind, in any order; an empty one means no
// configuration. Unknown, repeated and mistyped fields are problems, each with its place and the
// nearest known name. Reports all problems at once.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "agent/settings/settings.hpp"

namespace berth::agent {

// The file that `--config` names, or a file of the folder beside it, which changes some fields.
enum class ConfigRole : std::uint8_t { kMain, kDropIn };

struct ConfigText {
  std::string file{};
  std::string text{};
  ConfigRole role = ConfigRole::kMain;
};

struct ParsedConfiguration {
  // As far as readable: valid parts of a broken document are checked all the same.
  ConfigDocuments documents{};
  std::vector<ConfigProblem> problems{};
};

// The main file first, then drop-ins in the order in which they apply: merged as a kubelet merges
// those of its --config-dir (config_merge.hpp). A drop-in's KubeSchedulerConfiguration replaces an
// earlier one as a whole, since no component of Kubernetes merges that kind.
[[nodiscard]] ParsedConfiguration parse_configuration(std::span<const ConfigText> texts);

// A main file alone.
[[nodiscard]] ParsedConfiguration parse_configuration(std::string_view text,
                                                      const std::string& file);

}  // namespace berth::agent
