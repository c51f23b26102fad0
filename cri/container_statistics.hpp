// SPDX-License-Identifier: Apache-2.0

// The runtime's report of its containers' memory and disk use.
//
// Separate from cri/runtime.hpp, so that a client that does not need it does not depend on it.
// Error codes are as in cri/runtime.hpp. Values that the runtime does not report are unset.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include <boost/asio/awaitable.hpp>

#include "base/clock_types.hpp"
#include "base/context.hpp"
#include "base/result.hpp"
#include "cri/types.hpp"

namespace berth::cri {

struct ContainerStatistics {
  ContainerId id{};
  std::string name{};
  std::string pod_uid{};                         // from the kubelet's label; empty without one
  std::optional<std::int64_t> working_set{};     // bytes
  std::optional<std::int64_t> writable_bytes{};  // of the writable layer
  std::optional<std::int64_t> writable_inodes{};
  std::optional<WallTime> memory_time{};  // when the runtime measured it
  std::optional<WallTime> writable_time{};

  bool operator==(const ContainerStatistics&) const = default;
};

class Statistics {
 public:
  Statistics() = default;
  Statistics(const Statistics&) = delete;
  Statistics& operator=(const Statistics&) = delete;
  virtual ~Statistics() = default;

  // Reports every container that the runtime knows, exited ones included: containerd reports the
  // writable layer of each container in its store. Their ids say which of them run.
  [[nodiscard]] virtual boost::asio::awaitable<Result<std::vector<ContainerStatistics>>>
  list_container_statistics(Context context) = 0;
};

}  // namespace berth::cri
