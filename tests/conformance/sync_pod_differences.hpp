// How a whole pass of berth may differ from the recorded one: the complete list.
//
// Both passes are predicted from the case's input alone (pass_model.hpp), the kubelet's and ours
// with the manners listed here, and each answer has to be the predicted one in every call, result
// and event. So nothing is left out, and what a manner does not say is no excuse.
#pragma once

#include <iosfwd>
#include <optional>
#include <string>

#include <boost/json.hpp>

namespace berth::conformance {

// `actual` holds the input beside the answer. Counts which manners made a difference.
std::optional<std::string> compare_sync_pod(const boost::json::value& expected,
                                            const boost::json::value& actual);

// One line a manner: in how many cases it makes a difference, and why it is right. Then the counts
// begin anew. False: of the project's own cases it is not as many as the list says.
bool report_sync_pod(std::ostream& out, bool own_cases);

}  // namespace berth::conformance
