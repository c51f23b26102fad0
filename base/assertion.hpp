// SPDX-License-Identifier: Apache-2.0

// Assertions: invariants that hold for any input from outside.
//
// They stay in release builds. A broken one is a bug in this program, and whatever the program
// would do next cannot be trusted: it reports on stderr (a service's journal) what was broken and
// where, and aborts. Pods keep running, and the next berthd resumes from the store. Input, a
// runtime's answers and the machine's failures are never asserted: those are errors, returned as
// values.
#pragma once

#include <source_location>
#include <string_view>

namespace berth {

[[noreturn]] void assertion_broken(std::string_view what, std::string_view about,
                                   const std::source_location& where);

// `what` states the invariant in words: "one waiter at a time".
inline void assert_that(bool holds, std::string_view what,
                        const std::source_location& where = std::source_location::current()) {
  if (!holds) [[unlikely]]
    assertion_broken(what, {}, where);
}
// `about`: what it is broken for, such as a pod's uid.
inline void assert_that(bool holds, std::string_view what, std::string_view about,
                        const std::source_location& where = std::source_location::current()) {
  if (!holds) [[unlikely]]
    assertion_broken(what, about, where);
}

}  // namespace berth
