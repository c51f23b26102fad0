// SPDX-License-Identifier: Apache-2.0

#include "agent/eviction/pressure_rows.hpp"

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <utility>

#include "agent/eviction/sample_text.hpp"

namespace berth::agent {
namespace {

constexpr std::int64_t kMinutes = 30;
constexpr std::int64_t kMerge = 5;
constexpr std::int64_t kMerged = 284;

constexpr const char* kTables = R"sql(
CREATE TABLE IF NOT EXISTS pressure(
  seq INTEGER PRIMARY KEY, age INTEGER NOT NULL, sample TEXT NOT NULL) STRICT;
CREATE TABLE IF NOT EXISTS pressure_pods(
  uid TEXT PRIMARY KEY NOT NULL, last INTEGER NOT NULL, pod TEXT NOT NULL) STRICT;
)sql";

Result<bool> put_sample(StoreFile& file, const eviction::Sample& sample) {
  auto put = file.prepared("INSERT INTO pressure(age, sample) VALUES(0, ?)");
  if (!put) return fail(put.error());
  const std::string text = sample_text(sample);
  put->bind(1, text);
  return file.run(*put);
}

// A pod's row is rewritten only when the pod has changed, and every 30 rows.
Result<bool> put_pods(StoreFile& file, const eviction::PodsSeen& seen, std::int64_t seq) {
  auto put = file.prepared(
      "INSERT INTO pressure_pods(uid, last, pod) VALUES(?1, ?2, ?3) ON CONFLICT(uid) DO UPDATE "
      "SET last = ?2, pod = ?3 WHERE last <= ?2 - 30 OR pod <> ?3");
  if (!put) return fail(put.error());
  for (const auto& pod : seen.pods) {
    const std::string text = pod_text(*pod);
    put->bind(1, pod->metadata.uid).bind(2, seq).bind(3, text);
    auto done = file.run(*put);
    if (!done) return done;
  }
  return true;
}

struct OldRows {
  std::vector<eviction::Sample> samples{};  // those that can be read
  std::int64_t last = 0;                    // the newest one's number
};

// The oldest minutes; pods by their uid alone, which is all that is written again.
Result<OldRows> oldest_minutes(StoreFile& file) {
  auto select =
      file.prepared("SELECT seq, sample FROM pressure WHERE age = 0 ORDER BY seq LIMIT ?");
  if (!select) return fail(select.error());
  select->bind(1, kMerge);
  const PodOfUid by_uid = [](const std::string& uid) {
    auto pod = std::make_shared<api::Pod>();
    pod->metadata.uid = uid;
    return pod;
  };
  OldRows out;
  auto row = file.step(*select);
  for (; row && *row; row = file.step(*select)) {
    out.last = select->number(0);
    auto sample = read_sample(select->text(1), by_uid);
    if (sample) out.samples.push_back(std::move(*sample));
  }
  if (!row) return fail(row.error());
  return out;
}

Result<bool> merge_minutes(StoreFile& file) {
  const auto old = oldest_minutes(file);
  if (!old) return fail(old.error());
  auto drop = file.prepared("DELETE FROM pressure WHERE age = 0 AND seq <= ?");
  if (!drop) return fail(drop.error());
  drop->bind(1, old->last);
  auto done = file.run(*drop);
  if (!done || old->samples.empty()) return done;
  auto put = file.prepared("INSERT INTO pressure(seq, age, sample) VALUES(?, 1, ?)");
  if (!put) return fail(put.error());
  const std::string text = sample_text(eviction::merge_samples(old->samples));
  put->bind(1, old->last).bind(2, text);
  return file.run(*put);
}

Result<bool> drop_oldest(StoreFile& file) {
  auto drop = file.prepared(
      "DELETE FROM pressure WHERE seq IN (SELECT seq FROM pressure WHERE age = 1 ORDER BY seq DESC "
      "LIMIT -1 OFFSET ?)");
  if (!drop) return fail(drop.error());
  drop->bind(1, kMerged);
  auto done = file.run(*drop);
  if (!done) return done;
  // A merged row has the number of its newest minute; one of its pods may have been in the oldest,
  // and `last` be 30 behind that.
  return file.execute(
      "DELETE FROM pressure_pods WHERE last < (SELECT min(seq) FROM pressure) - 35");
}

Result<std::map<std::string, PodPtr>> read_pods_seen(StoreFile& file) {
  auto select = file.prepared("SELECT uid, pod FROM pressure_pods");
  if (!select) return fail(select.error());
  std::map<std::string, PodPtr> out;
  auto row = file.step(*select);
  for (; row && *row; row = file.step(*select)) {
    auto pod = read_pod(select->text(1));
    if (pod) out.emplace(select->text(0), std::move(*pod));
  }
  if (!row) return fail(row.error());
  return out;
}

}  // namespace

Result<bool> put_pressure(StoreFile& file, const eviction::Sample& minute) {
  auto done = file.execute(kTables);
  if (done) done = put_sample(file, minute);
  if (!done) return done;
  const auto seq = file.number("SELECT max(seq) FROM pressure");
  if (!seq) return fail(seq.error());
  if (minute.pods) done = put_pods(file, *minute.pods, *seq);
  if (!done) return done;
  const auto minutes = file.number("SELECT count(*) FROM pressure WHERE age = 0");
  if (!minutes) return fail(minutes.error());
  if (*minutes <= kMinutes) return true;
  done = merge_minutes(file);
  if (done) done = drop_oldest(file);
  return done;
}

Result<PressureRows> read_pressure(StoreFile& file) {
  PressureRows out;
  const auto tables = file.number(
      "SELECT count(*) FROM sqlite_schema WHERE type = 'table' AND "
      "name IN ('pressure', 'pressure_pods')");
  if (!tables) return fail(tables.error());
  if (*tables < 2) return out;
  const auto pods = read_pods_seen(file);
  if (!pods) return fail(pods.error());
  const PodOfUid pod_of = [&](const std::string& uid) {
    const auto found = pods->find(uid);
    return found == pods->end() ? PodPtr{} : found->second;
  };
  auto select = file.prepared("SELECT sample FROM pressure ORDER BY seq");
  if (!select) return fail(select.error());
  auto row = file.step(*select);
  for (; row && *row; row = file.step(*select)) {
    auto sample = read_sample(select->text(0), pod_of);
    if (sample)
      out.samples.push_back(std::move(*sample));
    else
      ++out.left_out;
  }
  if (!row) return fail(row.error());
  return out;
}

}  // namespace berth::agent
