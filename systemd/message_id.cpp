// SPDX-License-Identifier: Apache-2.0

#include "systemd/message_id.hpp"

#include <algorithm>
#include <array>

namespace berth::systemd {
namespace {

constexpr std::array kIds = {
    MessageId{"BackOff", "94a2622e5dff4db59b39aaae3131cbcb"},
    MessageId{"Bug", "7e5c0e593a24401c94feeb0e8dcbb58c"},
    MessageId{"CannotStart", "e29a515846984fd4b14aafd57a61fa54"},
    MessageId{"ConfigurationRefused", "a56330867cd64504a150ce66bbd737f8"},
    MessageId{"Evicted", "f4b62424494443d29c70cf8ceb9dee9a"},
    MessageId{"EvictionBlind", "1a92508f010c46ad912871daf1e4dc72"},
    MessageId{"FailedScheduling", "de4053fc7bb14308995dd22c18c45d7b"},
    MessageId{"FileWorkStuck", "551af56059ca4f40bb8a7e547bfb78cc"},
    MessageId{"ForeignSandbox", "cc7500d0885c492b905264758f2ea896"},
    MessageId{"InvalidManifest", "76c5eaeca8704ba7829cfc2db06e8a12"},
    MessageId{"NobodyEvictable", "a952bc941c244dc295d13eb53085bcc0"},
    MessageId{"OOMKilled", "e6f8ff47396147339c42b6a5f038e692"},
    MessageId{"Shutdown", "f4f41c23f4f843479aacc9fe7b03c6f9"},
    MessageId{"ShutdownDelay", "703af1646c004186a3b8cd5747600696"},
    MessageId{"ShutdownPeriodOver", "170dedb5f2024583af7d912f4f3de8e5"},
    MessageId{"StoreDamaged", "de2d03b11e434134b1c502db55966f17"},
    MessageId{"StoreFailing", "661fff1527d64e53b733e0d64433e9bc"},
    MessageId{"Waiting", "abd60e5dc7924e929e1f9b2170edbcc7"},
    MessageId{"WatchdogLate", "cd34ab56f14043d7b06aa93e3a5990c3"},
    MessageId{"WatchdogTimeout", "d72ce970966d4892841cfb7b61fc55be"},
};

}  // namespace

std::span<const MessageId> message_ids() {
  return kIds;
}

std::string_view message_id(std::string_view event) {
  const auto* found = std::ranges::lower_bound(kIds, event, {}, &MessageId::event);
  return found != kIds.end() && found->event == event ? found->id : std::string_view();
}

}  // namespace berth::systemd
