// Child processes of a test: started, fed, read and ended by the test that started them.
#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <vector>

#include <sys/types.h>

namespace berth::integration {

struct Finished {
  int exit_code = -1;  // 128+n for a signal
  std::string out{};
  std::string err{};
};

// Runs to the end and keeps what it printed; `input` becomes its stdin. Ended, and -1, when it
// takes longer than the limit.
Finished run(const std::vector<std::string>& command, const std::string& input = {},
             std::chrono::seconds limit = std::chrono::seconds(60));

// A process in the background whose stdout is read line by line.
class Background {
 public:
  // stderr goes to the file, or is dropped if there is none; stdout to the reader, or to the same
  // file with `read_stdout` false.
  Background(const std::vector<std::string>& command, const std::string& error_file,
             bool read_stdout);
  Background(const Background&) = delete;
  Background& operator=(const Background&) = delete;
  ~Background();  // KILL, if it still runs

  [[nodiscard]] pid_t pid() const { return pid_; }
  // To be polled beside others; readable when `line` has something to read.
  [[nodiscard]] int output() const { return out_; }
  [[nodiscard]] bool running();

  // The next whole line; none when the deadline passes or the process has closed its output.
  std::optional<std::string> line(std::chrono::steady_clock::time_point deadline);

  // Sends the signal and waits for the end; its exit code.
  int end(int signal, std::chrono::seconds limit = std::chrono::seconds(30));
  // Waits for the end by itself; none if it still runs by then.
  std::optional<int> wait(std::chrono::seconds limit);

 private:
  pid_t pid_ = -1;
  int out_ = -1;
  std::string buffer_;
  std::optional<int> exit_code_;
};

}  // namespace berth::integration
