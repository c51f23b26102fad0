// SPDX-License-Identifier: Apache-2.0

// Proof that records are complete: removes each of their inputs once.
//
// An input is any member of any object and any element of any list, however deep. A record without
// one of them must not be retaken as if nothing were missing. Pure.
//
// With the digest repaired, a record without an input looks as if its writer never recorded it.
// Reading notices a missing member that every record of the kind has. A member that a record may
// lack (an optional member of an API object, an element of a list or a map) makes it a record of
// another question: it must read as exactly that question, and it is retaken only if the answer to
// that one is the same.
#pragma once

#include <functional>
#include <optional>
#include <string>

#include "lifecycle/ledger/ledger.hpp"

namespace berth::ledger_test {

enum class Digest { kAsRecorded, kMended };

// Calls `each` with the path of what was removed ("runtime.containers[0].state") and the record
// without it. kMended writes the digest of the rest, so that only reading can notice; the digest
// itself is removed only with kAsRecorded.
void for_each_removal(const lifecycle::LedgerRecord& record, Digest digest,
                      const std::function<void(const std::string& path,
                                               const lifecycle::LedgerRecord& damaged)>& each);

// How a record without an input, its digest repaired, is wrongly retaken; `std::nullopt`: it is
// not.
[[nodiscard]] std::optional<std::string> wrongly_taken(const lifecycle::LedgerRecord& damaged);

}  // namespace berth::ledger_test
