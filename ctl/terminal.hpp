// SPDX-License-Identifier: Apache-2.0

// The user's terminal during a remote command: raw mode, and its size.
#pragma once

#include <cstdint>
#include <optional>

#include <termios.h>

namespace berth::ctl {

struct TerminalSize {
  std::uint32_t columns = 0;
  std::uint32_t rows = 0;
};

[[nodiscard]] bool is_terminal(int descriptor);
[[nodiscard]] std::optional<TerminalSize> terminal_size(int descriptor);

// Raw from construction to destruction: every way out of the scope restores the previous mode.
class RawTerminal {
 public:
  explicit RawTerminal(int descriptor);
  RawTerminal(const RawTerminal&) = delete;
  RawTerminal& operator=(const RawTerminal&) = delete;
  ~RawTerminal();

 private:
  int descriptor_;
  termios before_{};
  bool changed_ = false;
};

}  // namespace berth::ctl
