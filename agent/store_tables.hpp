// The rows of the state file: pods, events, the ledger (store_schema.hpp has the tables).
//
// What writes is called within a transaction of the caller's. A pod stands in full in the input of
// each of its ledger records; it is kept once in `specs`, `spec_at` tells where it was cut out of
// the input, and reading gives the same bytes back. On the thread that has the file.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "agent/event_store.hpp"
#include "agent/ledger_reader.hpp"
#include "agent/store_file.hpp"
#include "base/clock_types.hpp"
#include "base/result.hpp"
#include "lifecycle/ledger/ledger.hpp"
#include "lifecycle/pod_memory.hpp"
#include "lifecycle/pod_store.hpp"

namespace berth::agent {

// A row as it stands, before anybody tries to understand it.
struct PodRow {
  std::string uid{};
  std::string namespace_{};
  std::string name{};
  std::int64_t incarnation = 0;
  std::string verdict{};
  std::int64_t updated_at = 0;
  std::string memory{};
};

struct EventRow {
  std::string key{};
  std::int64_t last_seen = 0;
  std::string event{};
};

[[nodiscard]] PodRow row_of(const lifecycle::PodMemory& memory, WallTime updated_at);
[[nodiscard]] EventRow row_of(const api::Event& event);

[[nodiscard]] Result<bool> put_pod(StoreFile& file, const PodRow& row);
[[nodiscard]] Result<bool> forget_pod(StoreFile& file, const std::string& uid);
// All that one commit asks for.
[[nodiscard]] Result<bool> put_batch(StoreFile& file, const lifecycle::StoreBatch& batch,
                                     WallTime now);
[[nodiscard]] Result<bool> put_event(StoreFile& file, const EventRow& row);
[[nodiscard]] Result<bool> put_record(StoreFile& file, const lifecycle::LedgerRecord& record);

// These append to `rows` as far as they come, so that a damaged file gives what it still can.
[[nodiscard]] Result<bool> read_pods(StoreFile& file, std::vector<PodRow>& rows);
// By last time seen.
[[nodiscard]] Result<bool> read_events(StoreFile& file, std::vector<EventRow>& rows);

// The newest that the query asks for, oldest first. A record that cannot be read is left out.
[[nodiscard]] Result<std::vector<lifecycle::LedgerRecord>> read_records(StoreFile& file,
                                                                        const LedgerQuery& query);

}  // namespace berth::agent
