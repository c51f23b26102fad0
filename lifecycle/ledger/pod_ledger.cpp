// SPDX-License-Identifier: Apache-2.0

#include "lifecycle/ledger/pod_ledger.hpp"

#include <utility>

#include "lifecycle/ledger/value_hash.hpp"

namespace berth::lifecycle {

bool PodLedger::is_new(std::string_view kind, const std::optional<News>& news) {
  if (!news) return false;
  if (!news->says) return true;
  const Last says{.says = *news->says, .waits = news->waits};
  const auto [last, first] = last_.try_emplace({std::string(kind), news->subject}, says);
  if (first) return !news->quiet;
  if (last->second.says == says.says) return false;
  const bool waited = last->second.waits;
  last->second = says;
  return !news->quiet || waited;
}

void PodLedger::happened(const api::Pod& pod, WallTime at, std::string container,
                         const Fact& fact) {
  if (ledger_ == nullptr) return;
  write(fact_record(pod, at, std::move(container), fact));
}

void PodLedger::happened_anew(const api::Pod& pod, WallTime at, std::string container,
                              const Fact& fact) {
  const News news{.subject = container, .says = value_hash(fact_text(fact))};
  if (is_new(fact_action(fact), news)) happened(pod, at, std::move(container), fact);
}

void PodLedger::write(LedgerRecord record) {
  if (!record.reasons.empty())
    newest_ = DatedReason{.at = record.at, .reason = record.reasons.back()};
  ledger_->write(std::move(record));
}

}  // namespace berth::lifecycle
