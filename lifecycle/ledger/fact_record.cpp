#include "lifecycle/ledger/fact_record.hpp"

#include <utility>

namespace berth::lifecycle {

LedgerRecord fact_record(const api::Pod& pod, WallTime at, std::string action,
                         std::string container, std::string text) {
  LedgerRecord record = record_about(pod, at, kLedgerFact);
  if (container.empty()) container = "pod";
  record.reasons.push_back(
      Reason{.subject = std::move(container), .rule = std::move(action), .text = std::move(text)});
  return record;
}

}  // namespace berth::lifecycle
