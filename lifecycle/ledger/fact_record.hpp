// Ledger records of facts, and what every record begins with. Pure; any thread.
#pragma once

#include <string>
#include <string_view>

#include "api/pod.hpp"
#include "base/clock_types.hpp"
#include "lifecycle/ledger/ledger.hpp"

namespace berth::lifecycle {

// Something that happened: `action` is a stable word (why.hpp lists those it has sentences for),
// `container` is empty for the pod as a whole, `text` a clause that says what and why.
[[nodiscard]] LedgerRecord fact_record(const api::Pod& pod, WallTime at, std::string action,
                                       std::string container, std::string text);

}  // namespace berth::lifecycle
