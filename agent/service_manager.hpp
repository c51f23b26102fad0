// Notifies systemd (sd_notify); without systemd, does nothing.
#pragma once

#include <string>

namespace berth::agent {

void notify_ready();
void notify_status(const std::string& line);
void notify_reloading();  // followed by notify_ready
void notify_stopping();

}  // namespace berth::agent
