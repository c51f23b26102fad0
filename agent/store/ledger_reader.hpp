// SPDX-License-Identifier: Apache-2.0

// Reads the ledger back, for `berthctl why`.
//
// An interface, because the records are in the store, whose own thread reads them. Loop thread
// only; cancelling the wait is harmless.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include <boost/asio/awaitable.hpp>

#include "base/clock_types.hpp"
#include "base/result.hpp"
#include "lifecycle/ledger/ledger.hpp"

namespace berth::agent {

// Which records: of one incarnation if `uid` is set, otherwise of every incarnation of that name;
// with neither, everything, records about the node included.
struct LedgerQuery {
  std::string namespace_{};
  std::string pod{};             // the full name
  std::string uid{};             // if set, the name is ignored
  std::optional<WallTime> at{};  // with `uid`: only those of this instant
  std::string kind{};            // if set, only of that kind, of every pod; the rest is ignored
  std::string but_kind{};        // with a name or a uid: none of that kind
  std::size_t limit = 500;       // only the newest
};

class LedgerReader {
 public:
  LedgerReader() = default;
  LedgerReader(const LedgerReader&) = delete;
  LedgerReader& operator=(const LedgerReader&) = delete;
  virtual ~LedgerReader() = default;

  // Oldest first. A pod without records gives an empty list, not an error.
  [[nodiscard]] virtual boost::asio::awaitable<Result<std::vector<lifecycle::LedgerRecord>>>
  read_ledger(LedgerQuery query) = 0;
};

}  // namespace berth::agent
