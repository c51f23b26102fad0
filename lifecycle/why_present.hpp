// What a pod is doing now and what comes next: the first and the last part of its story. Pure.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "api/pod.hpp"
#include "base/clock_types.hpp"
#include "lifecycle/ledger.hpp"
#include "lifecycle/why_sentences.hpp"

namespace berth::lifecycle {

// One sentence. `pod` is null if it is gone; `last` is the newest record, if there is one.
[[nodiscard]] std::string present_sentence(const api::Pod* pod, const LedgerRecord* last,
                                           WallTime now);

// Soonest first; at least one sentence. `plan`: the newest plan of this incarnation.
[[nodiscard]] std::vector<std::string> coming_sentences(const api::Pod* pod, const ToldPlan* plan,
                                                        WallTime now);

}  // namespace berth::lifecycle
