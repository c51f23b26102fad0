// How a whole pass of berth may differ from the recorded one: the complete list.
//
// A case that is equal as it stands needs no rule. Otherwise the rules are applied one after
// another, each taking out of both sides exactly what it allows, and what is left must be equal.
#pragma once

#include <iosfwd>
#include <optional>
#include <string>

#include <boost/json.hpp>

namespace berth::conformance {

// `actual` holds the input beside the answer. Counts which rules were needed.
std::optional<std::string> compare_sync_pod(const boost::json::value& expected,
                                            const boost::json::value& actual);

// One line a rule: how many cases needed it, and why it is right. Then the counts begin anew.
void report_sync_pod(std::ostream& out);

}  // namespace berth::conformance
