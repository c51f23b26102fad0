// Reading the ledger back: what `berthctl why` asks for.
//
// An interface, because the records are in the store, whose own thread reads them. Loop thread
// only; cancelling the wait is harmless.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include <boost/asio/awaitable.hpp>

#include "base/result.hpp"
#include "lifecycle/ledger/ledger.hpp"

namespace berth::agent {

// Which records: of one incarnation if `uid` is set, otherwise of every incarnation of that name;
// with neither, of every pod.
struct LedgerQuery {
  std::string namespace_{};
  std::string pod{};        // the whole name
  std::string uid{};        // set: the name does not count
  std::string kind{};       // set: only of that kind, of every pod; the rest does not count
  std::size_t limit = 500;  // the newest so many
};

class LedgerReader {
 public:
  LedgerReader() = default;
  LedgerReader(const LedgerReader&) = delete;
  LedgerReader& operator=(const LedgerReader&) = delete;
  virtual ~LedgerReader() = default;

  // Oldest first. A pod that nothing was ever recorded of gives an empty list, no error.
  [[nodiscard]] virtual boost::asio::awaitable<Result<std::vector<lifecycle::LedgerRecord>>>
  read_ledger(LedgerQuery query) = 0;
};

}  // namespace berth::agent
