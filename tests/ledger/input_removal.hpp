// Proof that records are complete: each of their inputs is taken away once.
//
// An input is any member of any object and any element of any list, however deep. A record with
// one of them gone must not be taken again as if nothing were missing. Pure.
#pragma once

#include <functional>
#include <string>

#include "lifecycle/ledger.hpp"

namespace berth::ledger_test {

enum class Digest { kAsRecorded, kMended };

// Calls `each` with the path of what was removed ("runtime.containers[0].state") and the record
// without it. kMended writes the digest of what is left, so that nothing but reading can notice;
// the digest itself is removed only with kAsRecorded.
void for_each_removal(const lifecycle::LedgerRecord& record, Digest digest,
                      const std::function<void(const std::string& path,
                                               const lifecycle::LedgerRecord& damaged)>& each);

}  // namespace berth::ledger_test
