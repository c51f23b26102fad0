// SPDX-License-Identifier: Apache-2.0

// The files of a configuration: the one that `--config` names, and drop-ins, which are the files
// `*.yaml` of the folder that has its name and ".d" (/etc/berth/config.yaml.d), in the order of
// their names.
//
// Blocking, small.
#pragma once

#include <string>
#include <vector>

#include "agent/settings/config_text.hpp"

namespace berth::agent {

struct ConfigFiles {
  std::vector<ConfigText> texts{};  // as parse_configuration takes them
  std::vector<ConfigProblem> problems{};
  std::vector<std::string> warnings{};  // files of the folder that look like drop-ins, but are none
};

enum class MainFile : std::uint8_t { kRequired, kIfItExists };

// A file that cannot be read, is not a regular file or is larger than a manifest may be is a
// problem. Names that start with a dot are ignored, and so are names with an ending that nobody
// would expect to be read (an editor's copy).
[[nodiscard]] ConfigFiles read_config_files(const std::string& main_file, MainFile main);

// The drop-ins of that file alone, whether it exists or not.
[[nodiscard]] ConfigFiles read_drop_ins(const std::string& main_file);

}  // namespace berth::agent
