// One file of a container's log, as it is written or as it was compressed. Blocking: for the pool.
//
// What has been opened can be read to its end whatever becomes of its name.
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
  // A name that ends with .gz is decompressed. kNotFound where there is none.
  static Result<LogFile> open(const std::string& path);
  LogFile(LogFile&&) noexcept;
  LogFile& operator=(LogFile&&) noexcept;
  ~LogFile();

  // The next piece; empty: this is the end, for now.
  [[nodiscard]] Result<std::string> read();
  // Goes on with the last `lines` lines. How many of them are not in this file; then it goes on
  // with its first.
  [[nodiscard]] Result<std::int64_t> seek_tail(std::int64_t lines);
  // Its first bytes, which no other file of the log has: they begin with a time in nanoseconds. Of
  // a compressed file they are known only before it is read; after that, nothing.
  [[nodiscard]] Result<std::string> head() const;

  // Whether this is what has the name now.
  [[nodiscard]] bool is(const std::string& path) const;
  // Somebody cut it behind what has been read.
  [[nodiscard]] bool was_cut() const;

 private:
  struct Handle;

  explicit LogFile(std::unique_ptr<Handle> handle);

  [[nodiscard]] Result<std::int64_t> seek_tail_backwards(std::int64_t lines);
  [[nodiscard]] Result<std::int64_t> seek_tail_compressed(std::int64_t lines);

  std::unique_ptr<Handle> handle_;
};

}  // namespace berth::agent
