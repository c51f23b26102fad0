// SPDX-License-Identifier: Apache-2.0

// One pod's side of the ledger: remembers what was decided last, and writes what is new.
//
// Owned by whoever decides for the pod, who reports every decision it takes, in order, and every
// fact. What a kind takes for news is in its file (kinds/). Without a ledger it does nothing. Loop
// thread only; the ledger outlives it.
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
  void decided(const Question& question, const Decision& decision, WallTime at) {
    if (ledger_ == nullptr) return;
    const auto& kind = kind_of<Question, Decision>();
    if (is_new(kind.name(), kind.news(question, decision)))
      write(kind.record(question, decision, at));
  }
  // `container` is empty for the pod as a whole.
  void happened(const api::Pod& pod, WallTime at, std::string container, const Fact& fact);
  // The same, unless the last such fact said the same.
  void happened_anew(const api::Pod& pod, WallTime at, std::string container, const Fact& fact);

  // What was written last; none: nothing yet.
  [[nodiscard]] const std::optional<DatedReason>& last() const { return newest_; }

 private:
  struct Last {
    std::uint64_t says = 0;
    bool waits = false;
  };

  void write(LedgerRecord record);
  [[nodiscard]] bool is_new(std::string_view kind, const std::optional<News>& news);

  Ledger* ledger_;
  std::map<std::pair<std::string, std::string>, Last> last_{};  // by kind and subject
  std::optional<DatedReason> newest_{};
};

}  // namespace berth::lifecycle
