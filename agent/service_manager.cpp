#include "agent/service_manager.hpp"

#include <systemd/sd-daemon.h>

namespace berth::agent {

void notify_ready() {
  static_cast<void>(sd_notify(0, "READY=1"));
}

void notify_status(const std::string& line) {
  static_cast<void>(sd_notify(0, ("STATUS=" + line).c_str()));
}

// MONOTONIC_USEC, which Type=notify-reload asks for, is left to systemd 253 and later, whose unit
// would need it; the unit here is Type=notify.
void notify_reloading() {
  static_cast<void>(sd_notify(0, "RELOADING=1"));
}

void notify_stopping() {
  static_cast<void>(sd_notify(0, "STOPPING=1"));
}

}  // namespace berth::agent
