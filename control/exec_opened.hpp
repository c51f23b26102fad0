// SPDX-License-Identifier: Apache-2.0

// The initial metadata with which an answer to `Exec` announces that it will send `opened`.
//
// An older berthd does not send it and takes input at once, so a caller that does not see this must
// not wait for it.
#pragma once

namespace berth::control {

inline constexpr const char* kReportsOpened = "berth-reports-opened";

}  // namespace berth::control
