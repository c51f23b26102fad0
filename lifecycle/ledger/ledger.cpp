// SPDX-License-Identifier: Apache-2.0

#include "lifecycle/ledger/ledger.hpp"

namespace berth::lifecycle {

std::string record_id(const LedgerRecord& record) {
  return record.kind + "-" + std::to_string(record.at.time_since_epoch().count());
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

}  // namespace berth::lifecycle
