// Proof that records are complete: each of their inputs is taken away once.
//
// An input is any member of any object and any element of any list, however deep. A record with
// one of them gone must not be taken again as if nothing were missing. Pure.
//
// With the digest mended, a record without an input is that of a writer who never recorded it. What
// every record of the kind has, reading misses. What a record may lack (an optional member of an
// API object, an element of a list or a map) makes it a record of another question: it must read as
// exactly that question, and it is taken again only if the answer to that one is the same.
#pragma once

#include <functional>
#include <optional>
#include <string>

#include "lifecycle/ledger/ledger.hpp"

namespace berth::ledger_test {

enum class Digest { kAsRecorded, kMended };

// Calls `each` with the path of what was removed ("runtime.containers[0].state") and the record
// without it. kMended writes the digest of what is left, so that nothing but reading can notice;
// the digest itself is removed only with kAsRecorded.
void for_each_removal(const lifecycle::LedgerRecord& record, Digest digest,
                      const std::function<void(const std::string& path,
                                               const lifecycle::LedgerRecord& damaged)>& each);

// How a record without an input, its digest mended, is taken otherwise than that; none: it is not.
[[nodiscard]] std::optional<std::string> wrongly_taken(const lifecycle::LedgerRecord& damaged);

}  // namespace berth::ledger_test
