// SPDX-License-Identifier: Apache-2.0

// Which lines of a container's log are requested, and their text.
//
// Pure: takes what was read from the file, in pieces of any size, and returns what to send.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "api/container_status.hpp"
#include "api/pod.hpp"
#include "base/clock_types.hpp"
#include "base/result.hpp"

namespace berth::agent {

struct LogQuery {
  bool timestamps = false;
  std::optional<WallTime> since{};
  std::optional<std::int64_t> limit_bytes{};
};

class LogFilter {
 public:
  explicit LogFilter(LogQuery query) : query_(query), left_(query.limit_bytes) {}

  // The text of the complete lines so far; for a line that is too long to hold, as much as has
  // arrived.
  [[nodiscard]] std::string feed(std::string_view bytes);
  // Whether the limit is reached: then nothing more will follow.
  [[nodiscard]] bool full() const { return left_ && *left_ <= 0; }

 private:
  // How the current line continues.
  enum class Rest {
    kHeld,     // it may be short, and is shown when it has ended
    kShown,    // it is long: shown as it arrives, with its end
    kUnended,  // the same, but a partial line: the next one continues it
    kLeftOut,
  };
  struct Shown {
    std::string text{};  // without the line end
    Rest rest = Rest::kLeftOut;
  };

  [[nodiscard]] Shown show(std::string_view line) const;
  void hold(std::string_view part);
  void begin_shown();
  void end_line();
  void put(std::string_view text);

  LogQuery query_;
  std::optional<std::int64_t> left_;
  Rest rest_ = Rest::kHeld;
  std::string held_{};
  std::string out_{};
};

// Finds where the last `lines` lines (at least one) of a file start, reading from its end to its
// start. A last line without its end counts.
class TailSearch {
 public:
  explicit TailSearch(std::int64_t lines) : left_(lines) {}

  // Takes the piece before the last one; returns where in it those lines start, or `std::nullopt`
  // if they start before it.
  [[nodiscard]] std::optional<std::size_t> before(std::string_view piece);
  // Call after the whole file: the number of lines that do not exist.
  [[nodiscard]] std::int64_t missing() const { return at_end_ ? left_ : left_ - 1; }

 private:
  std::int64_t left_;
  bool at_end_ = true;
};

// A search for the last lines of a log, over its files from the newest to the oldest, and how far
// it may go: a container chooses what is in its log, which may be terabytes without a line's end.
struct TailSought {
  // A runtime splits what a container writes into lines of 16 KiB, unless it is configured to allow
  // for longer ones.
  static constexpr std::int64_t kLine = std::int64_t{64} << 10U;
  // So much is searched in any case: it takes a moment, and some lines may be longer.
  static constexpr std::int64_t kLeast = std::int64_t{64} << 20U;
  // Compressed files are read from their start, however few lines are sought. This is 80 times what
  // a container's log may have by default, and takes some ten seconds.
  static constexpr std::int64_t kDecompressed = std::int64_t{4} << 30U;

  [[nodiscard]] static TailSought of(std::int64_t lines);

  std::int64_t lines = 0;                     // still to find
  std::int64_t bytes = 0;                     // still to search, of plain files
  std::int64_t decompressed = kDecompressed;  // the same, of compressed files
  bool given_up = false;                      // less was found than there may be
};

// The container whose log is meant if none was named: the only one, or the one that the annotation
// kubectl.kubernetes.io/default-container names, or the first. `notice` names it, if there was a
// choice. kInvalid or kNotFound list the containers.
struct ChosenContainer {
  std::string name{};
  std::string notice{};
};
[[nodiscard]] Result<ChosenContainer> choose_container(const api::Pod& pod,
                                                       const std::string& wanted);

// Which instance of a container: its restart count names the file.
struct LogInstance {
  std::int32_t restart_count = 0;
  bool running = false;
};
// kInvalid with the kubelet's words if there is no such log (yet).
[[nodiscard]] Result<LogInstance> choose_instance(const api::Pod& pod, const std::string& container,
                                                  bool previous);

[[nodiscard]] const api::ContainerStatus* find_container_status(const api::Pod& pod,
                                                                const std::string& container);

}  // namespace berth::agent
