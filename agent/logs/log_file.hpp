// SPDX-License-Identifier: Apache-2.0

// One file of a container's log, plain or compressed. Blocking: for the pool.
//
// An open file can be read to its end whatever happens to its name.
#pragma once

#include <sys/stat.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "agent/logs/log_query.hpp"
#include "base/result.hpp"

namespace berth::agent {

class LogFile {
 public:
  // A name that ends in .gz is decompressed. kNotFound if there is none.
  static Result<LogFile> open(const std::string& path);
  LogFile(LogFile&&) noexcept;
  LogFile& operator=(LogFile&&) noexcept;
  ~LogFile();

  // The next piece; empty at the end, for now.
  [[nodiscard]] Result<std::string> read();
  // Positions before the last lines that are sought, in steps of some megabytes: false if there is
  // more to search. Once true, `sought.lines` are those that are not in this file; then it starts
  // with its first line. If the search was given up, the file starts with the first complete line
  // that was searched, or at its end.
  [[nodiscard]] Result<bool> seek_tail(TailSought& sought);
  // The file's first bytes, which no other file of the log has: they start with a time in
  // nanoseconds. For a compressed file they are only known before it is read; empty after that.
  [[nodiscard]] Result<std::string> head() const;

  // Whether this file currently has that name.
  [[nodiscard]] bool is(const std::string& path) const;
  // Whether the file was truncated below what has been read.
  [[nodiscard]] bool was_cut() const;

 private:
  struct Handle;

  explicit LogFile(std::unique_ptr<Handle> handle);

  [[nodiscard]] Result<bool> seek_tail_backwards(TailSought& sought);
  [[nodiscard]] Result<bool> seek_tail_compressed(TailSought& sought);

  std::unique_ptr<Handle> handle_;
};

}  // namespace berth::agent
