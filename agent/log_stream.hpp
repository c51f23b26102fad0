// What one container instance wrote, over all files that are left of its log: the rotated ones,
// compressed or not, the oldest first, then the one being written.
//
// Reads on the blocking pool, a bounded piece at a time. Rotations while it reads lose nothing:
// files are opened together, and what has been rotated since is found by its name. Loop thread
// only.
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
  // `path`: the file being written, below `top`, the folder of all logs; nothing of it is a link.
  // kNotFound names it where neither it nor an older one is there.
  static boost::asio::awaitable<Result<std::unique_ptr<LogStream>>> open(
      BlockingPool& pool, std::string top, std::string path,
      std::optional<std::int64_t> tail_lines);
  LogStream(const LogStream&) = delete;
  LogStream& operator=(const LogStream&) = delete;
  ~LogStream();

  // The next piece; empty: that is all there is now.
  [[nodiscard]] boost::asio::awaitable<Result<std::string>> read();

 private:
  class Files;
  LogStream(BlockingPool& pool, std::shared_ptr<Files> files);

  BlockingPool& pool_;
  std::shared_ptr<Files> files_;  // shared with the pool's job while it reads
};

}  // namespace berth::agent
