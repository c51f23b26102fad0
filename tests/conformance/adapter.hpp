// SPDX-License-Identifier: Apache-2.0

// Connects a recorded decision of Kubernetes with our code.
//
// An adapter converts one case's input to our types, calls the decision, and converts the answer to
// the form of `expect`. It only translates: no branch on ids, names or known cases. An exception
// counts as a failed case, with its text shown.
#pragma once

#include <iosfwd>
#include <optional>
#include <string>
#include <vector>

#include <boost/json.hpp>

namespace berth::conformance {

using Adapter = boost::json::value (*)(const boost::json::object& input);

// `std::nullopt` if equal; otherwise the first difference, in readable form.
using Comparison = std::optional<std::string> (*)(const boost::json::value& expected,
                                                  const boost::json::value& actual);

// The usual comparison. By JSON value; the order of keys does not count; null, and the empty
// objects that the recordings omit (status, resources, state, lastState, metadata), equal absence;
// a `message` beside `error: true` is not binding.
std::optional<std::string> compare_values(const boost::json::value& expected,
                                          const boost::json::value& actual);

// Prints what else there is to report about a file's cases; `own_cases`: it is the project's own
// file. False if an expectation is not met, which counts as a failure.
using Report = bool (*)(std::ostream& out, bool own_cases);

struct Kind {
  std::string name{};
  Adapter run = nullptr;
  Comparison compare = compare_values;
  Report report = nullptr;
};

// One function per family, each in its adapters_<family>.cpp.
std::vector<Kind> api_kinds();
std::vector<Kind> critical_kinds();
std::vector<Kind> cycle_kinds();
std::vector<Kind> evict_kinds();
std::vector<Kind> eviction_kinds();
std::vector<Kind> lifecycle_kinds();
std::vector<Kind> node_kinds();
std::vector<Kind> preempt_kinds();
std::vector<Kind> probes_kinds();
std::vector<Kind> quantity_kinds();
std::vector<Kind> queue_kinds();
std::vector<Kind> scheduling_kinds();
std::vector<Kind> sync_kinds();

}  // namespace berth::conformance
