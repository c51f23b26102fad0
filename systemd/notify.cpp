// SPDX-License-Identifier: Apache-2.0

#include "systemd/notify.hpp"

#include <systemd/sd-daemon.h>

#include <chrono>

namespace berth::systemd {
namespace {

void send(const std::string& message) {
  static_cast<void>(sd_notify(0, message.c_str()));
}

}  // namespace

void notify_ready() {
  send("READY=1");
}

void notify_status(const std::string& line) {
  send("STATUS=" + line);
}

void notify_reloading(SteadyTime now) {
  const auto usec = std::chrono::duration_cast<std::chrono::microseconds>(now.time_since_epoch());
  send("RELOADING=1\nMONOTONIC_USEC=" + std::to_string(usec.count()));
}

void notify_stopping() {
  send("STOPPING=1");
}

void notify_longer(Nanoseconds time) {
  const auto usec = std::chrono::ceil<std::chrono::microseconds>(time);
  send("EXTEND_TIMEOUT_USEC=" + std::to_string(usec.count()));
}

void notify_alive() {
  send("WATCHDOG=1");
}

}  // namespace berth::systemd
