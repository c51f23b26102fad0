// SPDX-License-Identifier: Apache-2.0

// Owns a file descriptor and closes it: moved, never copied.
//
// Closing ignores errors (call fsync first to know that the last bytes arrived) and preserves
// errno, so that a failure can be reported after the descriptor is closed.
#pragma once

#include <unistd.h>

#include <cerrno>
#include <utility>

namespace berth {

class Descriptor {
 public:
  Descriptor() = default;
  // The result of open(2), socket(2) and the like; negative means no descriptor.
  explicit Descriptor(int number) : number_(number) {}
  Descriptor(Descriptor&& other) noexcept : number_(other.release()) {}
  Descriptor& operator=(Descriptor&& other) noexcept {
    Descriptor before(std::exchange(number_, other.release()));
    return *this;
  }
  ~Descriptor() {
    const int error = errno;
    if (number_ >= 0) static_cast<void>(::close(number_));
    errno = error;
  }

  [[nodiscard]] bool is_open() const { return number_ >= 0; }
  [[nodiscard]] int get() const { return number_; }
  // Releases ownership: the caller must close it.
  [[nodiscard]] int release() { return std::exchange(number_, -1); }

 private:
  int number_ = -1;
};

}  // namespace berth
