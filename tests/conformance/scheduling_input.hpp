// SPDX-License-Identifier: Apache-2.0

// Converts the inputs of recorded scheduling decisions to our values: clusters and profiles.
#pragma once

#include <stdexcept>
#include <string>

#include <boost/json.hpp>

#include "api/codec.hpp"
#include "scheduling/cluster/cluster.hpp"
#include "scheduling/cycle/profile.hpp"

namespace berth::conformance {

template <class T>
T read_object(const boost::json::value& value) {
  Result<T> object = api::from_json<T>(value);
  if (!object) throw std::runtime_error(object.error().message);
  return std::move(*object);
}

// Nodes, namespaces, pods, nominated pods and the objects that select pods, in the order recorded.
void read_cluster(const boost::json::object& input, scheduling::Cluster& cluster);

// The profile of the input; the default profile if there is none.
[[nodiscard]] scheduling::Profile read_profile(const boost::json::object& input);

}  // namespace berth::conformance
