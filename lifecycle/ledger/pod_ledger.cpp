// SPDX-License-Identifier: Apache-2.0

#include "lifecycle/ledger/pod_ledger.hpp"

#include <utility>

#include "lifecycle/ledger/value_hash.hpp"

namespace berth::lifecycle {

bool PodLedger::is_new(std::string_view kind, const std::optional<News>& news) {
  if (!news) return false;
  if (!news->says) return true;
  const Last says{.says = *news->says, .waits = news->waits, .record = {}};
  const auto [last, first] = last_.try_emplace({std::string(kind), news->subject}, says);
  if (first) return !news->quiet;
  if (last->second.says == says.says) return false;
  const bool waited = last->second.waits;
  last->second = says;
  return !news->quiet || waited;
}

std::string PodLedger::known_as(std::string_view kind, const std::optional<News>& news) const {
  if (!news) return {};
  const auto last = last_.find({std::string(kind), news->subject});
  return last == last_.end() ? std::string() : last->second.record;
}

std::string PodLedger::happened(const api::Pod& pod, WallTime at, std::string container,
                                const Fact& fact) {
  if (ledger_ == nullptr) return {};
  return write(fact_record(pod, at, std::move(container), fact), kLedgerFact, std::nullopt);
}

std::string PodLedger::happened_anew(const api::Pod& pod, WallTime at, std::string container,
                                     const Fact& fact) {
  if (ledger_ == nullptr) return {};
  const News news{.subject = container, .says = value_hash(fact_text(fact))};
  const std::string action = fact_action(fact);
  if (!is_new(action, news)) return known_as(action, news);
  return write(fact_record(pod, at, std::move(container), fact), action, news);
}

std::string PodLedger::write(LedgerRecord record, std::string_view kind,
                             const std::optional<News>& news) {
  if (!record.reasons.empty())
    newest_ = DatedReason{.at = record.at, .reason = record.reasons.back()};
  std::string id = record_id(record);
  if (news && news->says) last_[{std::string(kind), news->subject}].record = id;
  ledger_->write(std::move(record));
  return id;
}

}  // namespace berth::lifecycle
