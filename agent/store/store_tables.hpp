// SPDX-License-Identifier: Apache-2.0

// The rows of the state file: pods, events, the ledger (store_schema.hpp has the tables).
//
// Writing functions are called within the caller's transaction. The input of a ledger record
// about a pod contains a whole pod; it is stored once in `specs`, `spec_at` is the place where it
// was cut out of the input, and reading returns the same bytes. Runs on the thread that owns the
// file.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "agent/events/event_store.hpp"
#include "agent/store/ledger_reader.hpp"
#include "agent/store/store_file.hpp"
#include "base/clock_types.hpp"
#include "base/result.hpp"
#include "lifecycle/ledger/ledger.hpp"
#include "lifecycle/pod_memory.hpp"
#include "lifecycle/pod_store.hpp"

namespace berth::agent {

// A row before it is decoded.
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
// Everything in one commit.
[[nodiscard]] Result<bool> put_batch(StoreFile& file, const lifecycle::StoreBatch& batch,
                                     WallTime now);
[[nodiscard]] Result<bool> put_event(StoreFile& file, const EventRow& row);
[[nodiscard]] Result<bool> put_record(StoreFile& file, const lifecycle::LedgerRecord& record);

// These append to `rows` as far as they get, so that a damaged file yields what is still readable.
[[nodiscard]] Result<bool> read_pods(StoreFile& file, std::vector<PodRow>& rows);
// By last time seen.
[[nodiscard]] Result<bool> read_events(StoreFile& file, std::vector<EventRow>& rows);

// The newest ones that match the query, oldest first. Unreadable records are omitted.
[[nodiscard]] Result<std::vector<lifecycle::LedgerRecord>> read_records(StoreFile& file,
                                                                        const LedgerQuery& query);

}  // namespace berth::agent
