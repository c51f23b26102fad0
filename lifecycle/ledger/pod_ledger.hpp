// SPDX-License-Identifier: Apache-2.0

// One pod's side of the ledger: remembers what was decided last, and writes what is new.
//
// Owned by whoever decides for the pod, who reports every decision it takes, in order, and every
// fact. What a kind takes for news is in its file (kinds/). Without a ledger it does nothing. Loop
// thread only; the ledger outlives it.
//
// Each report returns the id of the record that says it (record_id()), be it an earlier one; empty:
// no record does.
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
  explicit PodLedger(Ledger* ledger) : ledger_(ledger) {}  // null: nothing is written

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
  // The same, unless the last such fact said the same.
  std::string happened_anew(const api::Pod& pod, WallTime at, std::string container,
                            const Fact& fact);

  // What was written last; none: nothing yet.
  [[nodiscard]] const std::optional<DatedReason>& last() const { return newest_; }

 private:
  struct Last {
    std::uint64_t says = 0;
    bool waits = false;
    std::string record{};  // its id; empty: it was not worth one
  };

  std::string write(LedgerRecord record, std::string_view kind, const std::optional<News>& news);
  [[nodiscard]] bool is_new(std::string_view kind, const std::optional<News>& news);
  // The record of what is no news.
  [[nodiscard]] std::string known_as(std::string_view kind, const std::optional<News>& news) const;

  Ledger* ledger_;
  std::map<std::pair<std::string, std::string>, Last> last_{};  // by kind and subject
  std::optional<DatedReason> newest_{};
};

}  // namespace berth::lifecycle
