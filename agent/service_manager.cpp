#include "agent/service_manager.hpp"

#include <systemd/sd-daemon.h>

namespace berth::agent {

void notify_ready() {
  static_cast<void>(sd_notify(0, "READY=1"));
}

void notify_status(const std::string& line) {
  static_cast<void>(sd_notify(0, ("STATUS=" + line).c_str()));
}

// Without MONOTONIC_USEC, which only Type=notify-reload (systemd 253 and later) requires; our unit
// is Type=notify.
void notify_reloading() {
  static_cast<void>(sd_notify(0, "RELOADING=1"));
}

void notify_stopping() {
  static_cast<void>(sd_notify(0, "STOPPING=1"));
}

}  // namespace berth::agent
