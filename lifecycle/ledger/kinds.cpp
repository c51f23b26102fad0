// SPDX-License-Identifier: Apache-2.0

#include "lifecycle/ledger/kinds.hpp"

#include <algorithm>
#include <array>

namespace berth::lifecycle {
namespace {

template <class Question, class Decision>
const AnyKind& any_kind() {
  return kind_of<Question, Decision>();
}

#define BERTH_LIST_KIND(Question, Decision) any_kind<Question, Decision>,
constexpr std::array kAll = {BERTH_LEDGER_KINDS(BERTH_LIST_KIND)};
#undef BERTH_LIST_KIND

}  // namespace

const AnyKind* find_kind(std::string_view name) {
  const auto* found =
      std::ranges::find_if(kAll, [&](const auto& kind) { return kind().name() == name; });
  return found == kAll.end() ? nullptr : &(*found)();
}

}  // namespace berth::lifecycle
