// SPDX-License-Identifier: Apache-2.0

// The output of one container instance, over all remaining files of its log: the rotated ones,
// compressed or not, oldest first, then the current one.
//
// Searches and reads on the blocking pool, a bounded piece at a time; cancelling its caller ends
// it. Rotations while it reads lose nothing: files are opened together, and a file rotated since is
// found by its name. Loop thread only.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include <boost/asio/awaitable.hpp>

#include "base/blocking_pool.hpp"
#include "base/result.hpp"

namespace berth::agent {

class LogStream {
 public:
  // `path`: the current file, below `top`, the folder of all logs; no part of it may be a link.
  // kNotFound names it if neither it nor an older file exists.
  static boost::asio::awaitable<Result<std::unique_ptr<LogStream>>> open(
      BlockingPool& pool, std::string top, std::string path,
      std::optional<std::int64_t> tail_lines);
  LogStream(const LogStream&) = delete;
  LogStream& operator=(const LogStream&) = delete;
  ~LogStream();

  // Whether the search for the last lines ended before it had found all of them, because no log
  // that a runtime writes is like that (TailSought). Then the log begins with those that were
  // found.
  [[nodiscard]] bool tail_given_up() const;

  // The next piece; empty at the end, for now.
  [[nodiscard]] boost::asio::awaitable<Result<std::string>> read();

 private:
  class Files;
  LogStream(BlockingPool& pool, std::shared_ptr<Files> files);

  BlockingPool& pool_;
  std::shared_ptr<Files> files_;  // shared with the pool's job while it reads
};

}  // namespace berth::agent
