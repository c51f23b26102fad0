// SPDX-License-Identifier: Apache-2.0

#include "ctl/terminal.hpp"

#include <sys/ioctl.h>
#include <unistd.h>

namespace berth::ctl {

bool is_terminal(int descriptor) {
  return ::isatty(descriptor) == 1;
}

std::optional<TerminalSize> terminal_size(int descriptor) {
  winsize size{};
  if (::ioctl(descriptor, TIOCGWINSZ, &size) != 0) return std::nullopt;
  return TerminalSize{.columns = size.ws_col, .rows = size.ws_row};
}

RawTerminal::RawTerminal(int descriptor) : descriptor_(descriptor) {
  if (::tcgetattr(descriptor_, &before_) != 0) return;
  termios raw = before_;
  ::cfmakeraw(&raw);
  changed_ = ::tcsetattr(descriptor_, TCSANOW, &raw) == 0;
}

RawTerminal::~RawTerminal() {
  if (changed_) ::tcsetattr(descriptor_, TCSANOW, &before_);
}

}  // namespace berth::ctl
