// SPDX-License-Identifier: Apache-2.0

// What `berthctl logs` prints of a container's bytes: to a file, and to a terminal.
#include <fcntl.h>
#include <termios.h>
#include <unistd.h>

#include <array>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "base/descriptor.hpp"
#include "fake_agent.hpp"
#include "ran.hpp"

namespace berth::ctl {
namespace {

// What berthctl prints to a terminal; empty if this machine has none.
std::string on_terminal(const std::vector<std::string>& words) {
  const Descriptor screen(::posix_openpt(O_RDWR | O_NOCTTY | O_CLOEXEC));
  if (::grantpt(screen.get()) != 0 || ::unlockpt(screen.get()) != 0) return {};
  Descriptor terminal(::open(::ptsname(screen.get()), O_RDWR | O_NOCTTY | O_CLOEXEC));
  termios mode{};
  if (::tcgetattr(terminal.get(), &mode) != 0) return {};
  ::cfmakeraw(&mode);
  ::tcsetattr(terminal.get(), TCSANOW, &mode);
  std::fflush(stdout);
  const int before = ::dup(1);
  ::dup2(terminal.get(), 1);
  EXPECT_EQ(run(words), 0);
  std::fflush(stdout);
  ::dup2(before, 1);
  ::close(before);
  // The kernel hands over what was printed piece by piece; once nobody can print, up to the end.
  terminal = Descriptor();
  std::string printed;
  std::array<char, 4096> piece{};
  for (;;) {
    const auto size = ::read(screen.get(), piece.data(), piece.size());
    if (size <= 0) return printed;
    printed.append(piece.data(), static_cast<std::size_t>(size));
  }
}

TEST(RunLogs, a_file_gets_the_log_as_it_was_written) {
  FakeAgent agent;
  agent.log = {"\x1b[2J\xe6", "\xbc\xa2\xff\n"};
  EXPECT_EQ(ran({"--socket", agent.socket(), "logs", "web"}).out, "\x1b[2J\xe6\xbc\xa2\xff\n");
}

TEST(RunLogs, a_terminal_is_not_driven_and_shows_characters_that_came_in_two_pieces) {
  FakeAgent agent;
  agent.log = {"\x1b[2J\xe6", "\xbc\xa2\xff\n", "\xe6\xbc"};
  const std::string printed = on_terminal({"--socket", agent.socket(), "logs", "web"});
  if (printed.empty()) GTEST_SKIP() << "no pseudo-terminals here";
  EXPECT_EQ(printed, "^[[2J漢\\xff\n\\xe6\\xbc");
}

}  // namespace
}  // namespace berth::ctl
