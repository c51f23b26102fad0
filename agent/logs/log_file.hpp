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
  // Positions before the last `lines` lines. Returns how many of them are not in this file; then it
  // starts with its first line.
  [[nodiscard]] Result<std::int64_t> seek_tail(std::int64_t lines);
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

  [[nodiscard]] Result<std::int64_t> seek_tail_backwards(std::int64_t lines);
  [[nodiscard]] Result<std::int64_t> seek_tail_compressed(std::int64_t lines);

  std::unique_ptr<Handle> handle_;
};

}  // namespace berth::agent
