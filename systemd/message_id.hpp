// SPDX-License-Identifier: Apache-2.0

// The journal's message ids: log lines that an operator may have to act on, each with an entry in
// the catalogue (berth.catalog) that `journalctl -x` shows below it.
//
// Pure. An id never changes its meaning; other tools may match on it (MESSAGE_ID=).
#pragma once

#include <span>
#include <string_view>

namespace berth::systemd {

struct MessageId {
  std::string_view event{};  // as it is logged: "Evicted"
  std::string_view id{};     // 32 hexadecimal digits
};

[[nodiscard]] std::span<const MessageId> message_ids();

// Empty if the event has none.
[[nodiscard]] std::string_view message_id(std::string_view event);

}  // namespace berth::systemd
