// The bytes of one container instance's log, as they are on disk, over rotations.
//
// Reads on the blocking pool, a bounded piece at a time. The runtime's log is one file that is
// renamed when it is rotated, a new one taking its name. Loop thread only.
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
  // kNotFound names the file.
  static boost::asio::awaitable<Result<std::unique_ptr<LogStream>>> open(
      BlockingPool& pool, std::string path, std::optional<std::int64_t> tail_lines);
  LogStream(const LogStream&) = delete;
  LogStream& operator=(const LogStream&) = delete;
  ~LogStream();

  // The next piece; empty: that is all there is now. Goes on with the file that took this one's
  // name once this one has been read to its end.
  [[nodiscard]] boost::asio::awaitable<Result<std::string>> read();

 private:
  struct File;
  LogStream(BlockingPool& pool, std::shared_ptr<File> file);

  BlockingPool& pool_;
  std::shared_ptr<File> file_;  // shared with the pool's job while it reads
};

}  // namespace berth::agent
