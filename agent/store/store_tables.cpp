// SPDX-License-Identifier: Apache-2.0

#include "agent/store/store_tables.hpp"

#include "agent/events/event_json.hpp"
#include "agent/store/memory_json.hpp"

namespace berth::agent {

PodRow row_of(const lifecycle::PodMemory& memory, WallTime updated_at) {
  return {.uid = memory.uid,
          .namespace_ = memory.pod ? memory.pod->metadata.namespace_ : "",
          .name = memory.pod ? memory.pod->metadata.name : "",
          .incarnation = static_cast<std::int64_t>(memory.incarnation),
          .verdict = std::string(verdict_word(memory.verdict)),
          .updated_at = updated_at.time_since_epoch().count(),
          .memory = memory_text(memory)};
}

EventRow row_of(const api::Event& event) {
  return {.key = event.metadata.namespace_ + "/" + event.metadata.name,
          .last_seen = event.lastTimestamp ? event.lastTimestamp->at.time_since_epoch().count() : 0,
          .event = event_text(event)};
}

Result<bool> put_pod(StoreFile& file, const PodRow& row) {
  auto put = file.prepared(
      "INSERT INTO pods(uid, namespace, name, incarnation, verdict, updated_at, memory) "
      "VALUES(?1, ?2, ?3, ?4, ?5, ?6, ?7) ON CONFLICT(uid) DO UPDATE SET namespace = ?2, "
      "name = ?3, incarnation = ?4, verdict = ?5, updated_at = ?6, memory = ?7");
  if (!put) return fail(put.error());
  put->bind(1, row.uid).bind(2, row.namespace_).bind(3, row.name).bind(4, row.incarnation);
  put->bind(5, row.verdict).bind(6, row.updated_at).bind(7, row.memory);
  return file.run(*put);
}

Result<bool> forget_pod(StoreFile& file, const std::string& uid) {
  auto forget = file.prepared("DELETE FROM pods WHERE uid = ?1");
  if (!forget) return fail(forget.error());
  forget->bind(1, uid);
  return file.run(*forget);
}

Result<bool> read_pods(StoreFile& file, std::vector<PodRow>& rows) {
  auto select = file.prepared(
      "SELECT uid, namespace, name, incarnation, verdict, updated_at, memory FROM pods");
  if (!select) return fail(select.error());
  auto row = file.step(*select);
  for (; row && *row; row = file.step(*select)) {
    rows.push_back({.uid = select->text(0),
                    .namespace_ = select->text(1),
                    .name = select->text(2),
                    .incarnation = select->number(3),
                    .verdict = select->text(4),
                    .updated_at = select->number(5),
                    .memory = select->text(6)});
  }
  return row;
}

Result<bool> put_batch(StoreFile& file, const lifecycle::StoreBatch& batch, WallTime now) {
  for (const auto& memory : batch.keep) {
    auto put = put_pod(file, row_of(*memory, now));
    if (!put) return put;
  }
  for (const auto& uid : batch.forget) {
    auto forgotten = forget_pod(file, uid);
    if (!forgotten) return forgotten;
  }
  return true;
}

Result<bool> put_event(StoreFile& file, const EventRow& row) {
  auto put = file.prepared("INSERT OR REPLACE INTO events(key, last_seen, event) VALUES(?, ?, ?)");
  if (!put) return fail(put.error());
  put->bind(1, row.key).bind(2, row.last_seen).bind(3, row.event);
  return file.run(*put);
}

Result<bool> read_events(StoreFile& file, std::vector<EventRow>& rows) {
  auto select = file.prepared("SELECT key, last_seen, event FROM events ORDER BY last_seen, rowid");
  if (!select) return fail(select.error());
  auto row = file.step(*select);
  for (; row && *row; row = file.step(*select)) {
    rows.push_back(
        {.key = select->text(0), .last_seen = select->number(1), .event = select->text(2)});
  }
  return row;
}

}  // namespace berth::agent
