// What the runtime says of its containers' use of memory and disk.
//
// A client that does not ask for it need not know of it, which is why it stands beside
// cri/runtime.hpp. Codes of failed calls as there. What the runtime does not tell is absent.
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
  std::string pod_uid{};                         // of the kubelet's label; empty: it has none
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

  // Of all containers that run.
  [[nodiscard]] virtual boost::asio::awaitable<Result<std::vector<ContainerStatistics>>>
  list_container_statistics(Context context) = 0;
};

}  // namespace berth::cri
