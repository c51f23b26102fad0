#include "lifecycle/ledger/pod_ledger.hpp"

#include "lifecycle/ledger/fact_record.hpp"

namespace berth::lifecycle {

bool PodLedger::is_new(std::string_view kind, const std::optional<News>& news) {
  if (!news) return false;
  if (!news->says) return true;
  const Last says{.says = *news->says, .waits = news->waits};
  const auto [last, first] = last_.try_emplace({kind, news->subject}, says);
  if (first) return !news->quiet;
  if (last->second.says == says.says) return false;
  const bool waited = last->second.waits;
  last->second = says;
  return !news->quiet || waited;
}

void PodLedger::happened(const api::Pod& pod, WallTime at, std::string action,
                         std::string container, std::string text) {
  if (ledger_ == nullptr) return;
  ledger_->write(fact_record(pod, at, std::move(action), std::move(container), std::move(text)));
}

}  // namespace berth::lifecycle
