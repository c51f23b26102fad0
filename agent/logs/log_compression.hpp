// SPDX-License-Identifier: Apache-2.0

// Compresses a rotated log in steps of some megabytes, so that a stopping berthd does not wait for
// the whole of a large one.
//
// The result is written beside the log and replaces it when complete: after a crash either of the
// two is whole. If it is destroyed before its end, the log stays as it was. Blocking: for the pool;
// one thread at a time.
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
  // `path` becomes `path`.gz, with the same mode. Fails unless it is a regular file.
  [[nodiscard]] static Result<LogCompression> begin(const std::string& path);
  LogCompression(LogCompression&&) = default;
  ~LogCompression();

  // True once `path` is replaced by `path`.gz; false if there is more to compress.
  [[nodiscard]] Result<bool> go_on();

 private:
  struct CloseGzip {
    void operator()(gzFile_s* file) const;
  };

  LogCompression(std::string path, Descriptor source)
      : path_(std::move(path)), source_(std::move(source)) {}
  Result<bool> create(mode_t mode);
  Result<bool> finish();

  std::string path_{};  // empty if moved from
  Descriptor source_{};
  std::unique_ptr<gzFile_s, CloseGzip> target_{};  // null if finished, or not started
};

}  // namespace berth::agent
