// SPDX-License-Identifier: Apache-2.0

// Child processes of a test: started, fed, read and ended by that test.
#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <vector>

#include <sys/types.h>

namespace berth::integration {

struct Finished {
  int exit_code = -1;  // 128+n for signal n
  std::string out{};
  std::string err{};
};

// Runs the command to its end and returns the output; `input` becomes its stdin. If it exceeds the
// limit, it is killed, and the exit code is -1.
Finished run(const std::vector<std::string>& command, const std::string& input = {},
             std::chrono::seconds limit = std::chrono::seconds(60));

// A process in the background whose stdout is read line by line.
class Background {
 public:
  // stderr goes to the file, or is dropped if there is none; stdout goes to the reader, or to the
  // same file if `read_stdout` is false.
  Background(const std::vector<std::string>& command, const std::string& error_file,
             bool read_stdout);
  Background(const Background&) = delete;
  Background& operator=(const Background&) = delete;
  ~Background();  // sends KILL if the process still runs

  [[nodiscard]] pid_t pid() const { return pid_; }
  // The descriptor to poll together with others; readable when `line` has something to read.
  [[nodiscard]] int output() const { return out_; }
  [[nodiscard]] bool running();

  // The next whole line; `std::nullopt` when the deadline passes or the process has closed its
  // output.
  std::optional<std::string> line(std::chrono::steady_clock::time_point deadline);

  // Sends the signal, waits for the exit and returns the exit code.
  int end(int signal, std::chrono::seconds limit = std::chrono::seconds(30));
  // Waits until the process exits by itself; `std::nullopt` if it still runs at the limit.
  std::optional<int> wait(std::chrono::seconds limit);

 private:
  pid_t pid_ = -1;
  int out_ = -1;
  std::string buffer_;
  std::optional<int> exit_code_;
};

}  // namespace berth::integration
