// SPDX-License-Identifier: Apache-2.0

// Fetches pods by the names a user typed.
#pragma once

#include <string>
#include <vector>

#include "ctl/command.hpp"

namespace berth::ctl {

// The existing pods, as JSON, and for missing ones the message about each.
struct FoundPods {
  std::vector<std::string> pods{};
  std::vector<Error> missing{};
};

// Each named pod, or all in the selected namespace(s) without names.
[[nodiscard]] Result<FoundPods> fetch_pods(Connection& agent, const Options& options,
                                           const std::vector<std::string>& names);
[[nodiscard]] Result<std::string> fetch_pod(Connection& agent, const Options& options,
                                            const std::string& name);

// In kubectl's words, to stderr.
void say_no_pods(const Options& options);

// Success unless pods were missing: reports all but the last, which becomes the outcome.
[[nodiscard]] Outcome all_found(const FoundPods& found);

}  // namespace berth::ctl
