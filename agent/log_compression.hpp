// A rotated log being compressed, some megabytes at a time, so that whoever ends berthd does not
// wait for the whole of a large one.
//
// The result is written beside the log and takes its place when it is complete: after a crash
// either of the two is whole. Destroyed before its end, it leaves the log as it was. Blocking: for
// the pool; one thread at a time.
#pragma once

#include <sys/types.h>

#include <memory>
#include <string>

#include "base/descriptor.hpp"
#include "base/result.hpp"

struct gzFile_s;

namespace berth::agent {

class LogCompression {
 public:
  // `path` becomes `path`.gz, with the same mode. Fails for what is not a regular file.
  [[nodiscard]] static Result<LogCompression> begin(const std::string& path);
  LogCompression(LogCompression&&) = default;
  ~LogCompression();

  // True: `path` is gone, and `path`.gz is there. False: there is more to compress.
  [[nodiscard]] Result<bool> go_on();

 private:
  struct CloseGzip {
    void operator()(gzFile_s* file) const;
  };

  LogCompression(std::string path, Descriptor source)
      : path_(std::move(path)), source_(std::move(source)) {}
  Result<bool> create(mode_t mode);
  Result<bool> finish();

  std::string path_{};  // empty: moved from
  Descriptor source_{};
  std::unique_ptr<gzFile_s, CloseGzip> target_{};  // null: finished, or not begun
};

}  // namespace berth::agent
