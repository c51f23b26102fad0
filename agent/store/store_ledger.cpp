// SPDX-License-Identifier: Apache-2.0

// The ledger's rows (store_tables.hpp).
#include <algorithm>
#include <optional>
#include <string_view>

#include <boost/json.hpp>

#include "agent/store/store_tables.hpp"
#include "api/codec/json_text.hpp"

namespace berth::agent {
namespace {

namespace json = boost::json;
using lifecycle::LedgerRecord;

// A smaller pod is not worth a row of its own.
constexpr std::size_t kSmallestSpec = 256;

struct Cut {
  std::size_t at = 0;
  std::size_t size = 0;
};

// The end of the object that starts at `start`, considering strings.
std::optional<std::size_t> end_of_object(std::string_view text, std::size_t start) {
  std::size_t depth = 0;
  bool in_string = false;
  for (std::size_t i = start; i < text.size(); ++i) {
    const char c = text[i];
    if (in_string) {
      if (c == '\\') ++i;
      if (c == '"') in_string = false;
    } else if (c == '"') {
      in_string = true;
    } else if (c == '{') {
      ++depth;
    } else if (c == '}' && --depth == 0) {
      return i + 1;
    }
  }
  return std::nullopt;
}

// Finds the pod in an input. Wherever this cuts, joining restores the same text; so it may safely
// find nothing, or something else.
std::optional<Cut> find_pod(std::string_view input) {
  constexpr std::string_view kMember = "\"pod\":{";
  const std::size_t found = input.find(kMember);
  if (found == std::string_view::npos) return std::nullopt;
  const std::size_t start = found + kMember.size() - 1;
  const auto end = end_of_object(input, start);
  if (!end || *end - start < kSmallestSpec) return std::nullopt;
  return Cut{.at = start, .size = *end - start};
}

// The number of the row with this text.
Result<std::int64_t> spec_row(StoreFile& file, const std::string& uid, std::string_view text) {
  auto find = file.prepared("SELECT id FROM specs WHERE uid = ? AND text = ?");
  if (!find) return fail(find.error());
  find->bind(1, uid).bind(2, text);
  const auto row = file.step(*find);
  if (!row) return fail(row.error());
  if (*row) {
    const std::int64_t id = find->number(0);
    file.reset(*find);
    return id;
  }
  auto insert = file.prepared("INSERT INTO specs(uid, text) VALUES(?, ?)");
  if (!insert) return fail(insert.error());
  insert->bind(1, uid).bind(2, text);
  const auto inserted = file.run(*insert);
  if (!inserted) return fail(inserted.error());
  return file.number("SELECT last_insert_rowid()");
}

std::string reasons_text(const lifecycle::Reasons& reasons) {
  json::array list;
  for (const auto& [subject, rule, text] : reasons) {
    list.push_back(json::object{{"subject", subject}, {"rule", rule}, {"text", text}});
  }
  return api::compact_json(list);
}

std::string member(const json::object& object, std::string_view name) {
  const auto* value = object.if_contains(name);
  return value != nullptr && value->is_string() ? std::string(value->get_string()) : std::string();
}

lifecycle::Reasons read_reasons(const std::string& text) {
  lifecycle::Reasons reasons;
  boost::system::error_code bad;
  const auto value = json::parse(text, bad);
  if (bad || !value.is_array()) return reasons;
  for (const auto& item : value.get_array()) {
    if (!item.is_object()) continue;
    const auto& object = item.get_object();
    reasons.push_back({.subject = member(object, "subject"),
                       .rule = member(object, "rule"),
                       .text = member(object, "text")});
  }
  return reasons;
}

// Columns as in the two statements below.
std::optional<LedgerRecord> record_of(const Statement& row) {
  LedgerRecord record{.at = WallTime{Nanoseconds{row.number(0)}},
                      .uid = row.text(1),
                      .namespace_ = row.text(2),
                      .pod = row.text(3),
                      .kind = row.text(4),
                      .reasons = read_reasons(row.text(6)),
                      .input = row.text(7),
                      .output = row.text(8)};
  if (!row.is_null(5)) record.next = WallTime{Nanoseconds{row.number(5)}};
  if (!row.is_null(9)) {
    const auto at = static_cast<std::size_t>(row.number(9));
    if (row.is_null(10) || at > record.input.size()) return std::nullopt;
    record.input.insert(at, row.text(10));
  }
  return record;
}

constexpr const char* kByUid =
    "SELECT at, ledger.uid, namespace, pod, kind, next, reasons, input, output, spec_at, text "
    "FROM ledger LEFT JOIN specs ON id = spec WHERE ledger.uid = ?1 "
    "AND (?3 IS NULL OR at = ?3) AND (?4 IS NULL OR kind <> ?4) ORDER BY seq DESC LIMIT ?2";
constexpr const char* kByName =
    "SELECT at, ledger.uid, namespace, pod, kind, next, reasons, input, output, spec_at, text "
    "FROM ledger LEFT JOIN specs ON id = spec WHERE namespace = ?1 AND pod = ?3 "
    "AND (?4 IS NULL OR kind <> ?4) ORDER BY seq DESC LIMIT ?2";

// Without an index: evictions are few, and people request them.
constexpr const char* kByKind =
    "SELECT at, ledger.uid, namespace, pod, kind, next, reasons, input, output, spec_at, text "
    "FROM ledger LEFT JOIN specs ON id = spec WHERE kind = ?1 ORDER BY seq DESC LIMIT ?2";

constexpr const char* kAll =
    "SELECT at, ledger.uid, namespace, pod, kind, next, reasons, input, output, spec_at, text "
    "FROM ledger LEFT JOIN specs ON id = spec ORDER BY seq DESC LIMIT ?2";

const char* statement_for(const LedgerQuery& query) {
  if (!query.kind.empty()) return kByKind;
  if (!query.uid.empty()) return kByUid;
  return query.pod.empty() ? kAll : kByName;
}

}  // namespace

Result<bool> put_record(StoreFile& file, const LedgerRecord& record) {
  const auto cut = find_pod(record.input);
  std::string rest = record.input;
  std::int64_t spec = 0;
  if (cut) {
    const auto row =
        spec_row(file, record.uid, std::string_view(record.input).substr(cut->at, cut->size));
    if (!row) return fail(row.error());
    spec = *row;
    rest.erase(cut->at, cut->size);
  }
  auto put = file.prepared(
      "INSERT INTO ledger(at, uid, namespace, pod, kind, next, spec, spec_at, reasons, input, "
      "output) VALUES(?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)");
  if (!put) return fail(put.error());
  const std::string reasons = reasons_text(record.reasons);
  put->bind(1, record.at.time_since_epoch().count()).bind(2, record.uid);
  put->bind(3, record.namespace_).bind(4, record.pod).bind(5, record.kind);
  if (record.next) put->bind(6, record.next->time_since_epoch().count());
  if (cut) put->bind(7, spec).bind(8, static_cast<std::int64_t>(cut->at));
  put->bind(9, reasons).bind(10, rest).bind(11, record.output);
  return file.run(*put);
}

Result<std::vector<LedgerRecord>> read_records(StoreFile& file, const LedgerQuery& query) {
  auto select = file.prepared(statement_for(query));
  if (!select) return fail(select.error());
  const bool by_kind = !query.kind.empty();
  const bool by_uid = !by_kind && !query.uid.empty();
  const bool by_name = !by_kind && !by_uid && !query.pod.empty();
  if (by_kind) select->bind(1, query.kind);
  if (by_uid) select->bind(1, query.uid);
  if (by_uid && query.at) select->bind(3, query.at->time_since_epoch().count());
  if ((by_uid || by_name) && !query.but_kind.empty()) select->bind(4, query.but_kind);
  select->bind(2, static_cast<std::int64_t>(query.limit));
  if (by_name) select->bind(1, query.namespace_).bind(3, query.pod);
  std::vector<LedgerRecord> records;
  auto row = file.step(*select);
  for (; row && *row; row = file.step(*select)) {
    if (auto record = record_of(*select)) records.push_back(std::move(*record));
  }
  if (!row) return fail(row.error());
  std::ranges::reverse(records);
  return records;
}

}  // namespace berth::agent
