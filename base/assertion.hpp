// Assertions: what must never be, whatever comes in from outside.
//
// They stay in release builds. One that is broken means a mistake in this program, and what it
// would do next is not to be trusted: it says on stderr, which is the journal of a service, what
// was broken and where, and ends the process (abort). Pods run on, and the next berthd goes on from
// the store. Input, a runtime's answers and the machine's failures are never asserted: those are
// errors, and values.
#pragma once

#include <source_location>
#include <string_view>

namespace berth {

[[noreturn]] void assertion_broken(std::string_view what, const std::source_location& where);

// `what` says what is true, in words: "one waiter at a time".
inline void assert_that(bool holds, std::string_view what,
                        const std::source_location& where = std::source_location::current()) {
  if (!holds) [[unlikely]]
    assertion_broken(what, where);
}

}  // namespace berth
