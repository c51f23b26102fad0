// SPDX-License-Identifier: Apache-2.0

// How a whole pass of berth may differ from the recorded one: the complete list.
//
// Both passes are predicted from the case's input alone (pass_model.hpp), the kubelet's and ours
// with the manners listed here, and each answer must equal its prediction in every call, result and
// event. So nothing is exempt, and only a listed manner excuses a difference.
#pragma once

#include <iosfwd>
#include <optional>
#include <string>

#include <boost/json.hpp>

namespace berth::conformance {

// `actual` contains the input beside the answer. Counts which manners made a difference.
std::optional<std::string> compare_sync_pod(const boost::json::value& expected,
                                            const boost::json::value& actual);

// Prints one line per manner: in how many cases it makes a difference, and why it is right; then
// resets the counts. False if, for the project's own cases, the number differs from the list's.
bool report_sync_pod(std::ostream& out, bool own_cases);

}  // namespace berth::conformance
