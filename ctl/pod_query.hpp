// Getting pods by the names a user typed.
#pragma once

#include <string>
#include <vector>

#include "ctl/command.hpp"

namespace berth::ctl {

// The pods that are there, as JSON, and of those named what to say of the ones that are not.
struct FoundPods {
  std::vector<std::string> pods{};
  std::vector<Error> missing{};
};

// Each pod named, or all in the namespace(s) chosen if none is.
[[nodiscard]] Result<FoundPods> fetch_pods(Connection& agent, const Options& options,
                                           const std::vector<std::string>& names);
[[nodiscard]] Result<std::string> fetch_pod(Connection& agent, const Options& options,
                                            const std::string& name);

// In kubectl's words, to stderr.
void say_no_pods(const Options& options);

// Done, unless some were missing: says so of all but the last, which is the outcome.
[[nodiscard]] Outcome all_found(const FoundPods& found);

}  // namespace berth::ctl
