// What an answer to `Exec` says in its initial metadata when it will report `opened`.
//
// An older berthd reports nothing and takes input at once, so a caller that does not see this must
// not wait for it.
#pragma once

namespace berth::control {

inline constexpr const char* kReportsOpened = "berth-reports-opened";

}  // namespace berth::control
