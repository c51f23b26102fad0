// SPDX-License-Identifier: Apache-2.0

// One pod's side of the ledger: remembers what was decided last, and writes what is new.
//
// Owned by whoever decides for the pod, who reports every decision, in order, and every fact. Each
// kind's file (kinds/) defines what counts as news. Without a ledger it does nothing. Loop thread
// only; the ledger outlives it.
//
// Each report returns the id of the record that states it (record_id()), possibly an earlier one;
// empty if no record does.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "api/pod.hpp"
#include "base/clock_types.hpp"
#include "lifecycle/ledger/fact.hpp"
#include "lifecycle/ledger/kinds.hpp"
#include "lifecycle/ledger/ledger.hpp"

namespace berth::lifecycle {

class PodLedger {
 public:
  explicit PodLedger(Ledger* ledger) : ledger_(ledger) {}  // null if nothing is to be written

  template <class Question, class Decision>
  std::string decided(const Question& question, const Decision& decision, WallTime at) {
    if (ledger_ == nullptr) return {};
    const auto& kind = kind_of<Question, Decision>();
    const std::optional<News> news = kind.news(question, decision);
    if (!is_new(kind.name(), news)) return known_as(kind.name(), news);
    return write(kind.record(question, decision, at), kind.name(), news);
  }
  // `container` is empty for the pod as a whole.
  std::string happened(const api::Pod& pod, WallTime at, std::string container, const Fact& fact);
  // The same, unless the last such fact was identical.
  std::string happened_anew(const api::Pod& pod, WallTime at, std::string container,
                            const Fact& fact);

  // What was written last; unset if nothing yet.
  [[nodiscard]] const std::optional<DatedReason>& last() const { return newest_; }

 private:
  struct Last {
    std::uint64_t says = 0;
    bool waits = false;
    std::string record{};  // its id; empty if it was not worth a record
  };

  std::string write(LedgerRecord record, std::string_view kind, const std::optional<News>& news);
  [[nodiscard]] bool is_new(std::string_view kind, const std::optional<News>& news);
  // The id of the record that already states what is not news.
  [[nodiscard]] std::string known_as(std::string_view kind, const std::optional<News>& news) const;

  Ledger* ledger_;
  std::map<std::pair<std::string, std::string>, Last> last_{};  // by kind and subject
  std::optional<DatedReason> newest_{};
};

}  // namespace berth::lifecycle
