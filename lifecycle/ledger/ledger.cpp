// SPDX-License-Identifier: Apache-2.0

#include "lifecycle/ledger/ledger.hpp"

#include <charconv>

namespace berth::lifecycle {

std::string record_id(const LedgerRecord& record) {
  return record.kind + "-" + std::to_string(record.at.time_since_epoch().count()) + "-" +
         record.uid;
}

std::optional<RecordPlace> record_place(std::string_view id) {
  // A kind may contain dashes, as a uid does: the time is the first part that is a number.
  for (std::size_t dash = id.find('-'); dash != std::string_view::npos;
       dash = id.find('-', dash + 1)) {
    const char* end = id.data() + id.size();
    Nanoseconds::rep count = 0;
    const auto [next, error] = std::from_chars(id.data() + dash + 1, end, count);
    if (error != std::errc{} || count < 0 || end - next < 2 || *next != '-') continue;
    return RecordPlace{.at = WallTime{Nanoseconds{count}}, .uid = std::string(next + 1, end)};
  }
  return std::nullopt;
}

LedgerRecord record_about(const api::Pod& pod, WallTime at, std::string_view kind) {
  LedgerRecord record;
  record.at = at;
  record.uid = pod.metadata.uid;
  record.namespace_ = pod.metadata.namespace_;
  record.pod = pod.metadata.name;
  record.kind = kind;
  return record;
}

std::string node_uid(std::string_view node) {
  return "node/" + std::string(node);
}

LedgerRecord record_about_node(std::string_view node, WallTime at, std::string_view kind) {
  LedgerRecord record;
  record.at = at;
  record.uid = node_uid(node);
  record.kind = kind;
  return record;
}

}  // namespace berth::lifecycle
