// SPDX-License-Identifier: Apache-2.0

// berthctl evict pod/NAME... [--grace-period N] [--dry-run] [-o json|yaml]
#pragma once

#include <cstdint>
#include <optional>

namespace CLI {
class App;
}

namespace berth::ctl {

struct CommandLine;

struct EvictOptions {
  std::optional<std::int64_t> grace{};
  bool dry_run = false;
};

void add_evict(CLI::App& app, CommandLine& line);

}  // namespace berth::ctl
